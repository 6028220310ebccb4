/**
 * Whoever guesses passwords is made to wait, by account and by address, over all processes and restarts. An attempt is
 * counted before the password is looked at and taken back when it was right: of a thousand guesses that come at once
 * no more are looked at than of a thousand that come one after the other.
 */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';

const countAttemptSql = loadSql(import.meta.url, './count-attempt.sql');
const readThrottleSql = loadSql(import.meta.url, './read-throttle.sql');
const forgiveAttemptSql = loadSql(import.meta.url, './forgive-attempt.sql');
const clearThrottleSql = loadSql(import.meta.url, './clear-throttle.sql');

const WINDOW_SECONDS = 15 * 60;
const MOST_OF_ACCOUNT = 10;
const MOST_OF_ADDRESS = 30;

/** Who is being tried, if that can be anybody, and from where. */
export interface Attempt {
  readonly username: string | undefined;
  /** The address, or of IPv6 the /64 it is in: whoever has one address there has all of them. */
  readonly network: string;
}

export class LoginThrottled extends ForagerError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('login-throttled', 'Too many logins have failed for this account or from this address.', {
      hint: `try again in ${Math.ceil(retryAfterSeconds / 60)} min; "forager user unlock" lets an account in at once`,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Throws when there were too many failures; then this attempt is not counted, and nothing is to be looked at. */
export async function countAttempt(db: Database, { username, network }: Attempt): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Always in this order, so that no two wait for each other.
    if (username !== undefined) await countOne(tx, accountSubject(username), MOST_OF_ACCOUNT);
    await countOne(tx, `address:${network}`, MOST_OF_ADDRESS);
  });
}

/** Runs what follows an attempt that was counted. What fails because the server has too much to do was no guess. */
export async function forgivingFailure<T>(
  db: Database,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await forgiveAttempt(db, attempt);
    throw error;
  }
}

async function forgiveAttempt(db: Database, { username, network }: Attempt): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (username !== undefined) await tx.query(forgiveAttemptSql, [accountSubject(username)]);
    await tx.query(forgiveAttemptSql, [`address:${network}`]);
  });
}

/** The password was right: the account's failures are forgotten, the address keeps those it had with others. */
export async function settleAttempt(tx: Transaction, username: string, network: string): Promise<void> {
  await clearAccount(tx, username);
  await tx.query(forgiveAttemptSql, [`address:${network}`]);
}

/** Whether there was anything to forget. */
export async function clearAccount(tx: Transaction, username: string): Promise<boolean> {
  return (await tx.query(clearThrottleSql, [accountSubject(username)])).rowCount > 0;
}

async function countOne(tx: Transaction, subject: string, most: number): Promise<void> {
  const { rowCount } = await tx.query(countAttemptSql, [subject, most, WINDOW_SECONDS]);
  if (rowCount > 0) return;
  const { rows } = await tx.query<{ seconds: number }>(readThrottleSql, [subject]);
  throw new LoginThrottled(rows[0]?.seconds ?? 1);
}

function accountSubject(username: string): string {
  return `account:${username}`;
}
