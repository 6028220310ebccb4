/** Who sends the request: by `Authorization: Bearer` or by the cookie of a session. */
import type { FastifyRequest } from 'fastify';
import { identifyKey, identifySession } from '../control/access/identify.ts';
import { ANONYMOUS, type Principal } from '../control/access/principal.ts';
import { hashKeyToken, hashSessionToken } from '../control/access/secrets.ts';
import type { Database } from '../platform/database.ts';
import { ForagerError } from '../platform/errors.ts';
import { readCookie } from './cookies.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

/** What a request shows, and what has the form of it: only that is worth a question to the database. */
export interface Credential {
  readonly kind: 'key' | 'session';
  readonly token: string;
}

/** A key that is wrong is refused everywhere; a session that is over just makes its owner anonymous. */
export async function authenticate(
  db: Database,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Principal> {
  const credential = readCredential(request);
  if (credential === undefined) return ANONYMOUS;
  return (await identify(db, credential)) ?? principalOfNobody(credential);
}

/** Undefined: it shows nothing, or a cookie that was never a session's. */
export function readCredential({ headers }: Pick<FastifyRequest, 'headers'>): Credential | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined || hashKeyToken(token) === undefined) throw badKey();
    return { kind: 'key', token };
  }
  const token = readCookie(headers.cookie, SESSION_COOKIE);
  return token === undefined || hashSessionToken(token) === undefined
    ? undefined
    : { kind: 'session', token };
}

export async function identify(db: Database, { kind, token }: Credential): Promise<Principal | undefined> {
  if (kind === 'session') return identifySession(db, token);
  try {
    return await identifyKey(db, token);
  } catch (error) {
    // As a refusal it is counted like any other.
    throw error instanceof ForagerError && error.code === 'bot-revoked' ? refusalOf(error) : error;
  }
}

/** Of what turned out to be nobody's. */
export function principalOfNobody({ kind }: Credential): Principal {
  if (kind === 'key') throw badKey();
  return ANONYMOUS;
}

function badKey(): Refusal {
  return new Refusal(
    'bad-key',
    'The key in the Authorization header is not known, was revoked, or has ended.',
    {
      hint: 'send "Authorization: Bearer fgr_…"; "forager key create" makes one',
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    },
  );
}
