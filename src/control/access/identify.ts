/** From what a request shows to whoever sends it. */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import {
  type KeyRow,
  type Principal,
  principalOfKey,
  principalOfSession,
  type SessionRow,
} from './principal.ts';
import { hashKeyToken, hashSessionToken } from './secrets.ts';

const findSession = prepared('find-session', loadSql(import.meta.url, './find-session.sql'));
const findKey = prepared('find-key', loadSql(import.meta.url, './find-key.sql'));

/** Undefined: there is no such session, or it is over. */
export async function identifySession(db: Database, token: string): Promise<Principal | undefined> {
  const hash = hashSessionToken(token);
  if (hash === undefined) return undefined;
  const [row] = (await db.query<SessionRow>(findSession, [hash])).rows;
  return row === undefined ? undefined : principalOfSession(row);
}

/** Undefined: there is no such key, or it was revoked. */
export async function identifyKey(db: Database, token: string): Promise<Principal | undefined> {
  const hash = hashKeyToken(token);
  if (hash === undefined) return undefined;
  const [row] = (await db.query<KeyRow>(findKey, [hash])).rows;
  return row === undefined ? undefined : principalOfKey(row);
}
