/** What `forager user …` does, and what it says about it. */
import type { Command } from 'commander';
import { USERNAME } from '../contract/accounts.ts';
import { resetPassword } from '../control/access/reset-password.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  listUsers,
  readUser,
  type UserLine,
  type UserRole,
  unlockUser,
} from '../control/access/users.ts';
import type { Database } from '../platform/database.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { fitTable } from './fit-table.ts';
import { printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { type PasswordOptions, readPassword } from './read-password.ts';

const PAGE_ROWS = 200;

export async function addUser(username: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<PasswordOptions & { readonly role: UserRole }>();
  if (!USERNAME.test(username)) {
    throw new UsageError(
      `"${printable(username.slice(0, 100))}" cannot be the name of a user.`,
      'use small letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit',
    );
  }
  const password = await readPassword(options);
  const wanted = { username, role: options.role, password };
  const created = await withDatabase(context.config, (db) => createUser(db, wanted, cliActor()));
  if (context.isJson) {
    context.printJson({ ...created.user, password: created.password });
    return;
  }
  context.printLine(`${username} was added as ${options.role === 'admin' ? 'an administrator' : 'a user'}.`);
  printOneTimePassword(context, created.password, created.user.passwordExpiresAt);
}

export async function setPassword(username: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<PasswordOptions & { readonly revokeKeys?: true }>();
  const reset = await withDatabase(context.config, async (db) => {
    // Nobody types a password twice for a user who is not there.
    await readUser(db, username);
    const password = await readPassword(options);
    return resetPassword(db, username, { password, revokeKeys: options.revokeKeys === true }, cliActor());
  });
  if (context.isJson) {
    context.printJson(reset);
    return;
  }
  const sessions = reset.endedSessions === 1 ? '1 session' : `${reset.endedSessions} sessions`;
  context.printLine(`${username} has a new password; ${sessions} ended.`);
  if (reset.revokedKeys > 0) context.printLine(`Keys revoked: ${reset.revokedKeys}.`);
  printOneTimePassword(context, reset.password, reset.passwordExpiresAt);
}

function printOneTimePassword(context: CommandContext, password: string | null, until: Date | null): void {
  if (password === null) return;
  context.printLine(`One-time password: ${context.out.style.bold(password)}`);
  const end = until === null ? '' : ` It works until ${formatMoment(until)}.`;
  context.printLine(`It is shown this once; change it after the first login.${end}`);
}

export async function removeUser(username: string, command: Command): Promise<void> {
  const context = makeContext(command);
  await withDatabase(context.config, (db) => deleteUser(db, username, cliActor()));
  if (context.isJson) context.printJson({ username, isRemoved: true });
  else context.printLine(`${username} was removed, with all sessions and keys.`);
}

export async function switchUser(username: string, isEnabled: boolean, command: Command): Promise<void> {
  const context = makeContext(command);
  const user = await withDatabase(context.config, (db) =>
    changeUser(db, username, { isEnabled }, cliActor()),
  );
  if (context.isJson) context.printJson(user);
  else
    context.printLine(
      isEnabled ? `${username} can log in again.` : `${username} is off: sessions have ended.`,
    );
}

export async function unlock(username: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const wasThrottled = await withDatabase(context.config, (db) => unlockUser(db, username, cliActor()));
  if (context.isJson) context.printJson({ username, wasThrottled });
  else if (wasThrottled) context.printLine(`The failed logins of ${username} are forgotten.`);
  else context.printLine(`There were no failed logins of ${username}.`);
}

export async function showUsers(command: Command): Promise<void> {
  const context = makeContext(command);
  const users = await withDatabase(context.config, readAllUsers);
  if (context.isJson) {
    for (const user of users) context.printJson(user);
    return;
  }
  if (users.length === 0) {
    context.printLine(`There are no users yet. "${context.suggest('user add NAME --role admin')}" adds one.`);
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    [{ title: 'USER' }, { title: 'ROLE' }, { title: 'STATE' }, { title: 'LAST LOGIN' }, { title: 'ADDED' }],
    users.map((user) => [
      ...[user.username, user.role, describeState(user)],
      ...[describeMoment(user.lastLoginAt), formatMoment(user.createdAt)],
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const line of lines) context.printLine(line);
}

function describeState({ isEnabled, passwordExpiresAt }: UserLine): string {
  if (!isEnabled) return 'off';
  return passwordExpiresAt === null ? 'on' : `one-time password until ${formatMoment(passwordExpiresAt)}`;
}

async function readAllUsers(db: Database): Promise<UserLine[]> {
  const users: UserLine[] = [];
  for (;;) {
    const page = await listUsers(db, users.at(-1)?.username, PAGE_ROWS);
    users.push(...page);
    if (page.length < PAGE_ROWS) return users;
  }
}
