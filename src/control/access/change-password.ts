/** A person changes their own password: everything that the old one opened is closed, but for this session. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { recordAct } from './actor.ts';
import { findCredentials, type Login } from './login.ts';
import { countAttempt, forgivingFailure, settleChange, subjectsOfChange } from './login-throttle.ts';
import { checkPassword } from './password-policy.ts';
import { hashPassword, normalizePassword, verifyPassword } from './passwords.ts';
import { beginSession, endSessionsOfUser, type Place } from './sessions.ts';

const setPasswordSql = loadSql(import.meta.url, './set-password.sql');
const revokeKeysSql = loadSql(import.meta.url, './revoke-keys-of-user.sql');

export interface PasswordChange extends Place {
  readonly username: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly revokeKeys: boolean;
  readonly requestId: string;
}

/** Ends all sessions and begins a new one. */
export async function changePassword(db: Database, change: PasswordChange): Promise<Login> {
  const { username, currentPassword, newPassword } = change;
  checkPassword(newPassword, username);
  if (normalizePassword(newPassword) === normalizePassword(currentPassword)) {
    throw new ForagerError('weak-password', 'The new password is the current one.');
  }
  const subjects = subjectsOfChange(username);
  await countAttempt(db, subjects);
  const { found, newHash } = await forgivingFailure(db, subjects, async () => {
    const known = await findCredentials(db, username);
    const { isRight } = await verifyPassword(known?.passwordHash, currentPassword);
    const mayChange = isRight && known?.mayLogIn === true;
    return { found: known, newHash: mayChange ? await hashPassword(newPassword) : undefined };
  });
  const actor = { name: `user:${username}`, address: change.address, requestId: change.requestId };
  if (found === undefined || newHash === undefined) {
    await inTransaction(db, (tx) => recordAct(tx, actor, 'password.failed', username));
    throw wrongPassword();
  }
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(setPasswordSql, [found.id, newHash, null, found.passwordHash]);
    // Somebody else has just changed it.
    if (rowCount === 0) throw wrongPassword();
    const ended = await endSessionsOfUser(tx, found.id);
    const revoked = change.revokeKeys ? (await tx.query(revokeKeysSql, [found.id])).rowCount : 0;
    const session = await beginSession(tx, found.id, change);
    await settleChange(tx, username);
    await recordAct(tx, actor, 'password.changed', username, { endedSessions: ended, revokedKeys: revoked });
    return { ...session, username, role: found.role, passwordExpiresAt: undefined };
  });
}

function wrongPassword(): ForagerError {
  return new ForagerError(
    'wrong-password',
    'The current password is not the one that was given, or has ended.',
    {
      hint: 'a generated password works for a day; "forager user passwd" makes a new one',
    },
  );
}
