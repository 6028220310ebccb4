/**
 * Logging in. Whatever is wrong (no such user, another password, an account that is switched off, a generated password
 * that has ended) the answer is the same and takes the same time: it tells nobody which names there are.
 */
import { USERNAME } from '../../contract/accounts.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { recordAct } from './actor.ts';
import { countAttempt, forgivingFailure, settleLogin, subjectsOfLogin } from './login-throttle.ts';
import { hashPassword, type Verdict, verifyPassword } from './passwords.ts';
import { beginSession, endSessionOfToken, type NewSession, type Place } from './sessions.ts';

const findCredentialsSql = loadSql(import.meta.url, './find-credentials.sql');
const noteLoginSql = loadSql(import.meta.url, './note-login.sql');

export interface LoginRequest extends Place {
  readonly username: string;
  readonly password: string;
  /** The address, or of IPv6 the network: see subjectsOfLogin. */
  readonly network: string;
  /** Of the session whose cookie came with the request: it ends, so that nobody can plant one. */
  readonly previousToken: string | undefined;
  readonly requestId: string;
}

export interface Login extends NewSession {
  readonly username: string;
  readonly role: 'user' | 'admin';
  readonly passwordExpiresAt: Date | undefined;
}

export interface Credentials {
  readonly id: number;
  readonly username: string;
  readonly role: 'user' | 'admin';
  readonly passwordHash: string;
  readonly passwordExpiresAt: Date | null;
  readonly mayLogIn: boolean;
}

export async function logIn(db: Database, request: LoginRequest): Promise<Login> {
  const typed = request.username.trim().toLowerCase();
  const username = USERNAME.test(typed) ? typed : undefined;
  const subjects = subjectsOfLogin(username, request.network);
  await countAttempt(db, subjects);
  const { found, login } = await forgivingFailure(db, subjects, () => compare(db, request, username));
  if (login !== undefined) return login;
  await recordFailure(db, request, found);
  throw new ForagerError('bad-login', 'There is no such account, or the password is another.', {
    hint: 'a generated password works for a day; "forager user passwd" makes a new one',
  });
}

async function compare(
  db: Database,
  request: LoginRequest,
  username: string | undefined,
): Promise<{ found: Credentials | undefined; login: Login | undefined }> {
  const found = username === undefined ? undefined : await findCredentials(db, username);
  const verdict = await verifyPassword(found?.passwordHash, request.password);
  const mayEnter = found?.mayLogIn === true && verdict.isRight;
  return { found, login: mayEnter ? await enter(db, request, found, verdict) : undefined };
}

export async function findCredentials(db: Database, username: string): Promise<Credentials | undefined> {
  return (await db.query<Credentials>(findCredentialsSql, [username])).rows[0];
}

/** Undefined: the password was changed or the account switched off while it was being compared. */
async function enter(
  db: Database,
  request: LoginRequest,
  found: Credentials,
  verdict: Verdict,
): Promise<Login | undefined> {
  // Not worth a refusal: it can be made anew at the next login.
  const newHash = verdict.isOutdated ? await hashPassword(request.password).catch(() => null) : null;
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<Pick<Credentials, 'role' | 'passwordExpiresAt'>>(noteLoginSql, [
      ...[found.id, found.passwordHash, newHash],
    ]);
    const [row] = rows;
    if (row === undefined) return undefined;
    await endSessionOfToken(tx, request.previousToken);
    const session = await beginSession(tx, found.id, request);
    await settleLogin(tx, found.username, request.network);
    const actor = { name: `user:${found.username}`, address: request.address, requestId: request.requestId };
    await recordAct(tx, actor, 'login.succeeded', found.username, { network: request.network });
    return {
      ...{ ...session, username: found.username, role: row.role },
      passwordExpiresAt: row.passwordExpiresAt ?? undefined,
    };
  });
}

/** A name that nobody has may be a password in the wrong field: it is not written down. */
async function recordFailure(
  db: Database,
  { address, requestId }: LoginRequest,
  found: Credentials | undefined,
): Promise<void> {
  await inTransaction(db, (tx) =>
    recordAct(tx, { name: 'anonymous', address, requestId }, 'login.failed', found?.username, {
      isKnown: found !== undefined,
    }),
  );
}
