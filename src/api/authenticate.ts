/** Who sends the request: by `Authorization: Bearer` or by the cookie of a session. */
import type { FastifyRequest } from 'fastify';
import { identifyKey, identifySession } from '../control/access/identify.ts';
import { ANONYMOUS, type Principal } from '../control/access/principal.ts';
import type { Database } from '../platform/database.ts';
import { readCookie } from './cookies.ts';
import { Refusal } from './refusal.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

/** A key that is wrong is refused everywhere; a session that is over just makes its owner anonymous. */
export async function authenticate(db: Database, request: FastifyRequest): Promise<Principal> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const principal = token === undefined ? undefined : await identifyKey(db, token);
    if (principal !== undefined) return principal;
    throw new Refusal(
      'bad-key',
      'The key in the Authorization header is not known, was revoked, or has ended.',
      {
        hint: 'send "Authorization: Bearer fgr_…"; "forager key create" makes one',
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      },
    );
  }
  const token = readCookie(request.headers.cookie, SESSION_COOKIE);
  if (token === undefined) return ANONYMOUS;
  return (await identifySession(db, token)) ?? ANONYMOUS;
}
