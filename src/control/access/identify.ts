/** From what a request shows to whoever sends it. */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { botRevoked } from '../bots/bot-of-key.ts';
import { noteUse } from './note-use.ts';
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

interface Noted {
  /** When it was last used was written down more than a minute ago. */
  readonly isUnnoted: boolean;
}

/** Undefined: there is no such session, or it is over. */
export async function identifySession(db: Database, token: string): Promise<Principal | undefined> {
  const hash = hashSessionToken(token);
  if (hash === undefined) return undefined;
  const [row] = (await db.query<SessionRow & Noted>(findSession, [hash])).rows;
  if (row === undefined) return undefined;
  if (row.isUnnoted) noteUse(db, 'session', row.sessionId);
  return principalOfSession(row);
}

/** Undefined: there is no such key, or it was revoked. Throws for that of a bot that was revoked. */
export async function identifyKey(db: Database, token: string): Promise<Principal | undefined> {
  const hash = hashKeyToken(token);
  if (hash === undefined) return undefined;
  const [row] = (await db.query<KeyRow & Noted>(findKey, [hash])).rows;
  if (row === undefined) return undefined;
  if (row.isBotRevoked) throw botRevoked();
  if (row.isUnnoted) noteUse(db, 'key', row.keyId);
  return principalOfKey(row);
}
