/**
 * Whoever guesses passwords is made to wait, over all processes and restarts. Failures count for an account from one
 * network, for a network with all accounts, and for an account from everywhere, so that a guesser with many addresses
 * gets nowhere. The last does not hold where the owner has logged in from lately: strangers with many addresses could
 * keep anybody out. An attempt is counted before the password is looked at and taken back when it was right: of a thousand guesses that come at once
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
const hasLoggedInFromSql = loadSql(import.meta.url, './has-logged-in-from.sql');
const clearAccountSql = loadSql(import.meta.url, './clear-account-throttles.sql');

const WINDOW_SECONDS = 15 * 60;
const MOST_FROM_NETWORK = 10;
const MOST_OF_NETWORK = 30;
const MOST_OF_ACCOUNT = 100;
const MOST_CHANGES = 10;

/** What failures are counted under, and how many there may be. */
export interface Subject {
  readonly name: string;
  readonly most: number;
  /** It does not hold after all. */
  readonly unless?: (tx: Transaction) => Promise<boolean>;
}

/**
 * Of an attempt to log in: who is being tried, if that can be anybody, and from where. The network is the address, or
 * of IPv6 the /64 it is in: whoever has one address there has all of them.
 */
export function subjectsOfLogin(username: string | undefined, network: string): readonly Subject[] {
  const ofNetwork = { name: `address:${network}`, most: MOST_OF_NETWORK };
  if (username === undefined) return [ofNetwork];
  // Always in this order, so that no two attempts wait for each other.
  return [
    {
      name: accountSubject(username),
      most: MOST_OF_ACCOUNT,
      unless: (tx) => hasLoggedInFrom(tx, username, network),
    },
    { name: fromNetwork(username, network), most: MOST_FROM_NETWORK },
    ofNetwork,
  ];
}

/** Of a change of one's own password: what strangers do at the login must not keep the owner from it. */
export function subjectsOfChange(username: string): readonly Subject[] {
  return [{ name: `${accountSubject(username)} changing`, most: MOST_CHANGES }];
}

export class LoginThrottled extends ForagerError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('login-throttled', 'Too many wrong passwords were given for this account or from this address.', {
      hint: `try again in ${Math.ceil(retryAfterSeconds / 60)} min; "forager user unlock" lets an account in at once`,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Throws when there were too many failures; then this attempt is not counted, and nothing is to be looked at. */
export async function countAttempt(db: Database, subjects: readonly Subject[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const subject of subjects) await countOne(tx, subject);
  });
}

/** Runs what follows an attempt that was counted. What fails because the server has too much to do was no guess. */
export async function forgivingFailure<T>(
  db: Database,
  subjects: readonly Subject[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await inTransaction(db, (tx) => forgiveAttempt(tx, subjects));
    throw error;
  }
}

/** The password was right: what failed from the same network before was its owner. Other failures stay. */
export async function settleLogin(tx: Transaction, username: string, network: string): Promise<void> {
  await forgiveAttempt(tx, subjectsOfLogin(username, network));
  await tx.query(clearThrottleSql, [fromNetwork(username, network)]);
}

/** The current password was right. */
export async function settleChange(tx: Transaction, username: string): Promise<void> {
  for (const { name } of subjectsOfChange(username)) await tx.query(clearThrottleSql, [name]);
}

/** Whether there was anything to forget: of logins from anywhere, and of changes of the password. */
export async function clearAccount(tx: Transaction, username: string): Promise<boolean> {
  return (await tx.query(clearAccountSql, [accountSubject(username)])).rowCount > 0;
}

async function forgiveAttempt(tx: Transaction, subjects: readonly Subject[]): Promise<void> {
  for (const { name } of subjects) await tx.query(forgiveAttemptSql, [name]);
}

async function countOne(tx: Transaction, { name, most, unless }: Subject): Promise<void> {
  const { rowCount } = await tx.query(countAttemptSql, [name, most, WINDOW_SECONDS]);
  if (rowCount > 0 || (await unless?.(tx)) === true) return;
  const { rows } = await tx.query<{ seconds: number }>(readThrottleSql, [name]);
  throw new LoginThrottled(rows[0]?.seconds ?? 1);
}

async function hasLoggedInFrom(tx: Transaction, username: string, network: string): Promise<boolean> {
  const { rows } = await tx.query<{ isKnown: boolean }>(hasLoggedInFromSql, [username, network]);
  return rows[0]?.isKnown === true;
}

/** What else is counted for an account begins like this and a space, which no name has. */
function accountSubject(username: string): string {
  return `account:${username}`;
}

function fromNetwork(username: string, network: string): string {
  return `${accountSubject(username)} from ${network}`;
}
