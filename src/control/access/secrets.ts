/**
 * Tokens of sessions and keys: 256 random bits, of which only a hash is kept. They cannot be guessed, so that a
 * plain SHA-256 is enough; passwords, which can, have a hash of their own kind (passwords.ts).
 */
import { createHash, randomBytes } from 'node:crypto';

const KEY_PREFIX = 'fgr_';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

export function newKeyToken(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** Undefined for what no session was ever called: the database is not asked. */
export function hashSessionToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? sha256(token) : undefined;
}

export function hashKeyToken(token: string): Buffer | undefined {
  const isKey = token.startsWith(KEY_PREFIX) && TOKEN.test(token.slice(KEY_PREFIX.length));
  return isKey ? sha256(token) : undefined;
}

/** Enough to tell one key from another in a list. */
export function prefixOfKey(token: string): string {
  return token.slice(0, KEY_PREFIX.length + 6);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
