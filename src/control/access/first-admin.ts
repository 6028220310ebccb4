/** The first start: an administrator whose password is printed once and works for a day. */
import type { Database, Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from './actor.ts';
import { GENERATED_PASSWORD_SECONDS, generatePassword } from './generate-password.ts';
import { hashPassword } from './passwords.ts';
import { insertUser, lockUser } from './users.ts';

const findIdleAdminSql = loadSql(import.meta.url, './find-idle-admin.sql');
const lockUsersSql = loadSql(import.meta.url, './lock-users.sql');
const setPasswordSql = loadSql(import.meta.url, './set-password.sql');

const FIRST_ADMIN = 'admin';
const SYSTEM: Actor = { name: 'system' };

export interface FirstAdmin {
  readonly username: string;
  /** To be printed once. */
  readonly password: string;
  readonly hours: number;
}

/**
 * Undefined: there is somebody who can come in. Of several processes that start at once one makes the account. If the
 * password that was printed was never used and has ended, the next start makes a new one: nobody else could.
 */
export async function ensureFirstAdmin(db: Database): Promise<FirstAdmin | undefined> {
  if (!(await findNeed(db)).isNeeded) return undefined;
  const password = generatePassword();
  const hash = await hashPassword(password);
  const username = await inTransaction(db, async (tx) => {
    await tx.query(lockUsersSql);
    const { isNeeded, idleAdmin } = await findNeed(tx);
    if (!isNeeded) return undefined;
    if (idleAdmin === undefined) {
      await insertUser(tx, FIRST_ADMIN, 'admin', hash, true);
      await recordAct(tx, SYSTEM, 'user.created', FIRST_ADMIN, { role: 'admin', isPasswordGenerated: true });
      return FIRST_ADMIN;
    }
    const { id } = await lockUser(tx, idleAdmin);
    await tx.query(setPasswordSql, [id, hash, GENERATED_PASSWORD_SECONDS, null]);
    await recordAct(tx, SYSTEM, 'password.reset', idleAdmin, { isPasswordGenerated: true });
    return idleAdmin;
  });
  if (username === undefined) return undefined;
  return { username, password, hours: GENERATED_PASSWORD_SECONDS / 3600 };
}

interface Need {
  readonly isNeeded: boolean;
  readonly idleAdmin: string | undefined;
}

async function findNeed(queryable: Queryable): Promise<Need> {
  const { rows } = await queryable.query<{ isEmpty: boolean; idleAdmin: string | null }>(findIdleAdminSql);
  const idleAdmin = rows[0]?.idleAdmin ?? undefined;
  return { isNeeded: rows[0]?.isEmpty === true || idleAdmin !== undefined, idleAdmin };
}
