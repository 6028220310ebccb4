/** Somebody else gives a user another password: whoever was logged in with the old one no longer is. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from './actor.ts';
import { GENERATED_PASSWORD_SECONDS, generatePassword } from './generate-password.ts';
import { guardPower } from './guard-power.ts';
import { clearAccount } from './login-throttle.ts';
import { checkPassword } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { endSessionsOfUser } from './sessions.ts';
import { lockUser, readUser } from './users.ts';

const setPasswordSql = loadSql(import.meta.url, './set-password.sql');
const revokeKeysSql = loadSql(import.meta.url, './revoke-keys-of-user.sql');

export interface PasswordReset {
  readonly username: string;
  /** The one that was generated, to be shown once. */
  readonly password: string | null;
  readonly passwordExpiresAt: Date | null;
  readonly endedSessions: number;
  readonly revokedKeys: number;
}

export interface ResetOptions {
  /** Left out: one is generated. */
  readonly password?: string | undefined;
  readonly revokeKeys?: boolean;
}

export async function resetPassword(
  db: Database,
  username: string,
  options: ResetOptions,
  actor: Actor,
): Promise<PasswordReset> {
  // Hashing is dear: not for somebody who is not there, nor by somebody who may not.
  guardPower(actor, (await readUser(db, username)).role);
  if (options.password !== undefined) checkPassword(options.password, username);
  const isGenerated = options.password === undefined;
  const password = options.password ?? generatePassword();
  const hash = await hashPassword(password);
  const seconds = isGenerated ? GENERATED_PASSWORD_SECONDS : null;
  return inTransaction(db, async (tx) => {
    const { id, role } = await lockUser(tx, username);
    guardPower(actor, role);
    const { rows } = await tx.query<{ passwordExpiresAt: Date | null }>(setPasswordSql, [
      id,
      hash,
      seconds,
      null,
    ]);
    const endedSessions = await endSessionsOfUser(tx, id);
    const revokedKeys = options.revokeKeys === true ? (await tx.query(revokeKeysSql, [id])).rowCount : 0;
    await clearAccount(tx, username);
    await recordAct(tx, actor, 'password.reset', username, {
      ...{ isPasswordGenerated: isGenerated, endedSessions, revokedKeys },
    });
    return {
      ...{ username, password: isGenerated ? password : null, endedSessions, revokedKeys },
      passwordExpiresAt: rows[0]?.passwordExpiresAt ?? null,
    };
  });
}
