/** Keys: what programs show instead of a password. The token is seen once, by whoever asked for it. */
import { KEY_SCOPES, type KeyScope, scopesOfRole } from '../../contract/access.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { botRevoked } from '../bots/bot-of-key.ts';
import { type Actor, recordAct } from './actor.ts';
import { guardPower } from './guard-power.ts';
import { hashKeyToken, newKeyToken, prefixOfKey } from './secrets.ts';
import { lockUser, type UserRole } from './users.ts';

const listKeysSql = loadSql(import.meta.url, './list-keys.sql');
const insertKeySql = loadSql(import.meta.url, './insert-key.sql');
const countKeysSql = loadSql(import.meta.url, './count-keys.sql');
const lockKeySql = loadSql(import.meta.url, './lock-key.sql');
const lockBotSql = loadSql(import.meta.url, '../bots/lock-bot.sql');
const revokeKeySql = loadSql(import.meta.url, './revoke-key.sql');

const MOST_KEYS_OF_USER = 100;

export interface KeyLine {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly username: string | null;
  readonly role: UserRole | 'bot';
  readonly scopes: readonly KeyScope[];
  readonly isActive: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface NewKey {
  readonly key: KeyLine;
  readonly token: string;
}

export interface KeyFilter {
  readonly username?: string | undefined;
  readonly role?: UserRole | 'bot' | undefined;
  readonly isActive?: boolean | undefined;
}

/** The newest first, those made before the one with the given id. */
export async function listKeys(
  db: Database,
  { username, role, isActive }: KeyFilter,
  before: number | undefined,
  limit: number,
): Promise<KeyLine[]> {
  const values = [before ?? null, username ?? null, role ?? null, isActive ?? null, limit];
  return (await db.query<KeyLine>(listKeysSql, values)).rows;
}

export interface WantedKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresAt?: Date | undefined;
}

/** Whatever its scopes, a key never does more than its owner may at the time. */
export async function createUserKey(
  db: Database,
  username: string,
  wanted: WantedKey,
  actor: Actor,
): Promise<NewKey> {
  guardExpiry(wanted.expiresAt);
  return inTransaction(db, async (tx) => {
    const { id, role } = await lockUser(tx, username);
    guardScopes(role, wanted.scopes);
    const [held] = (await tx.query<{ count: number }>(countKeysSql, [id])).rows;
    if ((held?.count ?? 0) >= MOST_KEYS_OF_USER) {
      throw new ForagerError('too-many-keys', `"${username}" has ${held?.count} keys that are not revoked.`, {
        hint: 'revoke those that are no longer used',
      });
    }
    return insertKey(tx, { ...wanted, userId: id, username, role }, actor);
  });
}

export async function createBotKey(
  db: Database,
  { name, expiresAt }: Omit<WantedKey, 'scopes'>,
  actor: Actor,
): Promise<NewKey> {
  guardPower(actor, 'bot');
  guardExpiry(expiresAt);
  const bot = { userId: null, username: null, role: 'bot', scopes: ['work'] } as const;
  return inTransaction(db, async (tx) => {
    // Of a bot that is registered under that name it is one more.
    const [known] = (await tx.query<{ id: number; isRevoked: boolean }>(lockBotSql, [name])).rows;
    if (known?.isRevoked) throw botRevoked();
    return insertKey(tx, { ...bot, name, expiresAt, botRowId: known?.id }, actor);
  });
}

/** With an owner only one of theirs; what is somebody else's is not there. */
export async function revokeKey(
  db: Database,
  id: number,
  owner: { readonly userId: number } | 'anybody',
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [row] = (await tx.query<LockedKey>(lockKeySql, [id])).rows;
    if (row === undefined || (owner !== 'anybody' && row.userId !== owner.userId)) {
      throw new ForagerError('unknown-key', `There is no key ${id}.`);
    }
    if (owner === 'anybody') guardPower(actor, row.role);
    if (row.revokedAt !== null) {
      throw new ForagerError('key-revoked', `The key ${id} was revoked at ${row.revokedAt.toISOString()}.`);
    }
    await tx.query(revokeKeySql, [id]);
    const { name, prefix, username } = row;
    await recordAct(tx, actor, 'key.revoked', String(id), { name, prefix, username });
  });
}

interface LockedKey {
  readonly userId: number | null;
  /** Of whoever it belongs to. */
  readonly role: UserRole | 'bot';
  readonly revokedAt: Date | null;
  readonly name: string;
  readonly prefix: string;
  readonly username: string | null;
}

interface KeyToInsert extends WantedKey {
  readonly userId: number | null;
  readonly username: string | null;
  readonly role: UserRole | 'bot';
  /** Of a bot that is registered. */
  readonly botRowId?: number | undefined;
}

export async function insertKey(tx: Transaction, wanted: KeyToInsert, actor: Actor): Promise<NewKey> {
  const { name, userId, username, role, expiresAt } = wanted;
  const scopes = KEY_SCOPES.filter((scope) => wanted.scopes.includes(scope));
  const token = newKeyToken();
  const prefix = prefixOfKey(token);
  const { rows } = await tx.query<KeyLine>(insertKeySql, [
    ...[hashKeyToken(token), prefix, name, userId, role, scopes, actor.name, expiresAt ?? null],
    wanted.botRowId ?? null,
  ]);
  const [key] = rows;
  if (key === undefined) throw new Error('the key was not stored');
  await recordAct(tx, actor, 'key.created', String(key.id), { name, prefix, username, role, scopes });
  return { key, token };
}

function guardScopes(role: UserRole, scopes: readonly KeyScope[]): void {
  const mine = scopesOfRole(role);
  const beyond = scopes.filter((scope) => !mine.includes(scope));
  if (beyond.length === 0) return;
  const within = KEY_SCOPES.filter((scope) => mine.includes(scope));
  throw new ForagerError('not-permitted', `A key of the role ${role} cannot have "${beyond.join('", "')}".`, {
    hint: `the scopes of that role are ${within.join(', ')}`,
  });
}

export function guardExpiry(expiresAt: Date | undefined): void {
  if (expiresAt === undefined || expiresAt > now()) return;
  throw new ForagerError('invalid', 'expiresAt: the key would have ended before it is made.');
}
