/** Sessions: begun by a login, ended by a logout, by their owner from elsewhere, or by time. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from './actor.ts';
import { hashSessionToken, newSessionToken } from './secrets.ts';
import { SESSION_SECONDS } from './session-length.ts';

const insertSessionSql = loadSql(import.meta.url, './insert-session.sql');
const endOfTokenSql = loadSql(import.meta.url, './end-session-of-token.sql');
const endOfUserSql = loadSql(import.meta.url, './end-sessions-of-user.sql');
const endOwnSql = loadSql(import.meta.url, './end-own-session.sql');
const listSessionsSql = loadSql(import.meta.url, './list-sessions.sql');

const LONGEST_USER_AGENT = 300;

/** Where somebody logs in from. */
export interface Place {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface NewSession {
  /** For the cookie; nowhere else is it to be found from here on. */
  readonly token: string;
  readonly expiresAt: Date;
}

export async function beginSession(tx: Transaction, userId: number, place: Place): Promise<NewSession> {
  const token = newSessionToken();
  const { rows } = await tx.query<{ expiresAt: Date }>(insertSessionSql, [
    ...[hashSessionToken(token), userId, place.address],
    ...[place.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null, SESSION_SECONDS],
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('the session was not stored');
  return { token, expiresAt: row.expiresAt };
}

/** Whatever the cookie says: what was never a session is none to end. */
export async function endSessionOfToken(tx: Transaction, token: string | undefined): Promise<void> {
  const hash = token === undefined ? undefined : hashSessionToken(token);
  if (hash !== undefined) await tx.query(endOfTokenSql, [hash]);
}

export async function endSessionsOfUser(tx: Transaction, userId: number): Promise<number> {
  return (await tx.query(endOfUserSql, [userId])).rowCount;
}

export async function logOut(db: Database, token: string | undefined): Promise<void> {
  if (token === undefined || hashSessionToken(token) === undefined) return;
  await inTransaction(db, (tx) => endSessionOfToken(tx, token));
}

export async function logOutEverywhere(db: Database, userId: number, actor: Actor): Promise<number> {
  return inTransaction(db, async (tx) => {
    const ended = await endSessionsOfUser(tx, userId);
    await recordAct(tx, actor, 'sessions.ended', actor.name, { ended });
    return ended;
  });
}

export async function endOwnSession(db: Database, userId: number, id: number, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(endOwnSql, [id, userId]);
    if (rowCount === 0) {
      throw new ForagerError('unknown-session', `You have no session ${id}; it may have ended.`);
    }
    await recordAct(tx, actor, 'session.ended', String(id));
  });
}

export interface SessionLine {
  readonly id: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

export async function listSessions(
  db: Database,
  userId: number,
  before: number | undefined,
  limit: number,
): Promise<SessionLine[]> {
  return (await db.query<SessionLine>(listSessionsSql, [userId, before ?? null, limit])).rows;
}
