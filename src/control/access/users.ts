/** The people who may come in. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from './actor.ts';
import { GENERATED_PASSWORD_SECONDS, generatePassword } from './generate-password.ts';
import { guardPower } from './guard-power.ts';
import { clearAccount } from './login-throttle.ts';
import { checkPassword } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { endSessionsOfUser } from './sessions.ts';

const listUsersSql = loadSql(import.meta.url, './list-users.sql');
const readUserSql = loadSql(import.meta.url, './read-user.sql');
const insertUserSql = loadSql(import.meta.url, './insert-user.sql');
const updateUserSql = loadSql(import.meta.url, './update-user.sql');
const deleteUserSql = loadSql(import.meta.url, './delete-user.sql');
const lockAdminsSql = loadSql(import.meta.url, './lock-admins.sql');
const lockUserSql = loadSql(import.meta.url, './lock-user.sql');

export type UserRole = 'user' | 'admin';

export interface UserLine {
  readonly username: string;
  readonly role: UserRole;
  readonly isEnabled: boolean;
  readonly mustChangePassword: boolean;
  readonly passwordExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastLoginAt: Date | null;
}

/** By name, those after the given one. */
export async function listUsers(db: Database, after: string | undefined, limit: number): Promise<UserLine[]> {
  return (await db.query<UserLine>(listUsersSql, [after ?? null, limit])).rows;
}

export async function readUser(db: Database, username: string): Promise<UserLine> {
  const [row] = (await db.query<UserLine>(readUserSql, [username])).rows;
  if (row === undefined) throw unknownUser(username);
  return row;
}

export interface NewUser {
  readonly username: string;
  readonly role: UserRole;
  /** Left out: one is generated. */
  readonly password?: string | undefined;
}

export interface CreatedUser {
  readonly user: UserLine;
  /** The one that was generated, to be shown once. */
  readonly password: string | null;
}

export async function createUser(db: Database, wanted: NewUser, actor: Actor): Promise<CreatedUser> {
  const { username, role } = wanted;
  guardPower(actor, role);
  if (wanted.password !== undefined) checkPassword(wanted.password, username);
  const password = wanted.password ?? generatePassword();
  const hash = await hashPassword(password);
  const isGenerated = wanted.password === undefined;
  const user = await inTransaction(db, async (tx) => {
    const row = await insertUser(tx, username, role, hash, isGenerated);
    if (row === undefined) {
      throw new ForagerError('user-exists', `There is a user "${username}" already.`);
    }
    await recordAct(tx, actor, 'user.created', username, { role, isPasswordGenerated: isGenerated });
    return row;
  });
  return { user, password: isGenerated ? password : null };
}

/** Undefined: there is one of that name. */
export async function insertUser(
  tx: Transaction,
  username: string,
  role: UserRole,
  passwordHash: string,
  isGenerated: boolean,
): Promise<UserLine | undefined> {
  const seconds = isGenerated ? GENERATED_PASSWORD_SECONDS : null;
  return (await tx.query<UserLine>(insertUserSql, [username, role, passwordHash, seconds])).rows[0];
}

export interface UserChange {
  readonly role?: UserRole | undefined;
  readonly isEnabled?: boolean | undefined;
}

/** Holds at once: every request reads the role anew. An account that is switched off has no sessions to come back to. */
export async function changeUser(
  db: Database,
  username: string,
  change: UserChange,
  actor: Actor,
): Promise<UserLine> {
  return inTransaction(db, async (tx) => {
    const takesAway = change.role === 'user' || change.isEnabled === false;
    const admins = takesAway ? await lockAdmins(tx) : [];
    const before = await lockUser(tx, username);
    const role = change.role ?? before.role;
    guardPower(actor, before.role);
    guardPower(actor, role);
    const isEnabled = change.isEnabled ?? before.isEnabled;
    if (takesAway) guardLastAdmin(admins, before.id, username);
    const [row] = (await tx.query<UserLine>(updateUserSql, [username, role, isEnabled])).rows;
    if (row === undefined) throw unknownUser(username);
    const endedSessions = isEnabled ? 0 : await endSessionsOfUser(tx, before.id);
    await recordAct(tx, actor, 'user.changed', username, {
      ...{ from: { role: before.role, isEnabled: before.isEnabled }, to: { role, isEnabled } },
      endedSessions,
    });
    return row;
  });
}

export async function deleteUser(db: Database, username: string, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const admins = await lockAdmins(tx);
    const { id, role } = await lockUser(tx, username);
    guardPower(actor, role);
    guardLastAdmin(admins, id, username);
    await tx.query(deleteUserSql, [id]);
    await recordAct(tx, actor, 'user.deleted', username, { role });
  });
}

/** Whether there was anything that kept the user out. */
export async function unlockUser(db: Database, username: string, actor: Actor): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { role } = await lockUser(tx, username);
    guardPower(actor, role);
    const wasThrottled = await clearAccount(tx, username);
    await recordAct(tx, actor, 'user.unlocked', username, { wasThrottled });
    return wasThrottled;
  });
}

interface LockedUser {
  readonly id: number;
  readonly role: UserRole;
  readonly isEnabled: boolean;
}

export async function lockUser(tx: Transaction, username: string): Promise<LockedUser> {
  const [row] = (await tx.query<LockedUser>(lockUserSql, [username])).rows;
  if (row === undefined) throw unknownUser(username);
  return row;
}

async function lockAdmins(tx: Transaction): Promise<number[]> {
  return (await tx.query<{ id: number }>(lockAdminsSql)).rows.map((row) => row.id);
}

function guardLastAdmin(admins: readonly number[], id: number, username: string): void {
  if (admins.length !== 1 || admins[0] !== id) return;
  throw new ForagerError('last-admin', `"${username}" is the only administrator who can log in.`, {
    hint: 'make somebody else an administrator first',
  });
}

export function unknownUser(username: string): ForagerError {
  return new ForagerError('unknown-user', `There is no user "${username.slice(0, 100)}".`);
}
