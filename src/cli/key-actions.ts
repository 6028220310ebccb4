/** What `forager key …` does, and what it says about it. */
import type { Command } from 'commander';
import type { KeyScope } from '../contract/access.ts';
import {
  createBotKey,
  createUserKey,
  type KeyFilter,
  type KeyLine,
  listKeys,
  type NewKey,
  revokeKey,
} from '../control/access/keys.ts';
import { readUser } from '../control/access/users.ts';
import { now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { cliActor } from './cli-actor.ts';
import { makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { fitTable } from './fit-table.ts';
import { printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';

const PAGE_ROWS = 200;
const LONGEST_NAME = 100;

interface CreateOptions {
  readonly user?: string;
  readonly bot?: string;
  readonly scopes?: KeyScope[];
  readonly name?: string;
  /** Seconds. */
  readonly expires?: number;
}

export async function createKey(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<CreateOptions>();
  const make = planKey(options);
  const { key, token } = await withDatabase(context.config, make);
  if (context.isJson) {
    context.printJson({ ...key, token });
    return;
  }
  const whose = key.username === null ? `the bot ${printable(key.name)}` : key.username;
  const end = key.expiresAt === null ? '' : ` until ${formatMoment(key.expiresAt)}`;
  context.printLine(`Key ${key.id} of ${whose}, for ${key.scopes.join(', ')}${end}:`);
  context.printLine(context.out.style.bold(token));
  context.printLine('It is shown this once. Programs send it as "Authorization: Bearer …".');
}

/** Everything that can be wrong with the options is said before the database is opened. */
function planKey(options: CreateOptions): (db: Database) => Promise<NewKey> {
  const { user, bot, scopes = ['read'], expires } = options;
  if ((user === undefined) === (bot === undefined)) {
    throw new UsageError('A key is for a user or for a bot.', 'give --user NAME or --bot NAME');
  }
  const name = bot ?? options.name ?? 'command line';
  if (name === '' || name.length > LONGEST_NAME || printable(name) !== name) {
    throw new UsageError(`The name of a key is one line of at most ${LONGEST_NAME} characters.`);
  }
  const expiresAt = expires === undefined ? undefined : new Date(now().getTime() + expires * 1000);
  if (user !== undefined) return (db) => createUserKey(db, user, { name, scopes, expiresAt }, cliActor());
  if (options.scopes !== undefined || options.name !== undefined) {
    throw new UsageError(
      'A bot has no scopes to choose, and its key goes by its name: leave out --scopes and --name.',
    );
  }
  return (db) => createBotKey(db, { name, expiresAt }, cliActor());
}

export async function endKey(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  await withDatabase(context.config, (db) => revokeKey(db, id, 'anybody', cliActor()));
  if (context.isJson) context.printJson({ id, isRevoked: true });
  else context.printLine(`Key ${id} is revoked.`);
}

export async function showKeys(command: Command): Promise<void> {
  const context = makeContext(command);
  const { user, all } = command.optsWithGlobals<{ readonly user?: string; readonly all?: true }>();
  const keys = await withDatabase(context.config, async (db) => {
    if (user !== undefined) await readUser(db, user);
    return readAllKeys(db, { username: user, isActive: all ? undefined : true });
  });
  if (context.isJson) {
    for (const key of keys) context.printJson(key);
    return;
  }
  if (keys.length === 0) {
    context.printLine(`There are no keys. "${context.suggest('key create --user NAME')}" makes one.`);
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    ['NAME', 'ID', 'OWNER', 'BEGINS', 'SCOPES', 'STATE', 'LAST USED', 'MADE'].map((title) => ({ title })),
    keys.map((key) => [
      ...[
        printable(key.name),
        String(key.id),
        key.username ?? '(bot)',
        `${key.prefix}…`,
        key.scopes.join(','),
      ],
      ...[describeState(key), describeMoment(key.lastUsedAt), formatMoment(key.createdAt)],
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const line of lines) context.printLine(line);
}

function describeState({ isActive, revokedAt, expiresAt }: KeyLine): string {
  if (revokedAt !== null) return 'revoked';
  if (!isActive) return 'ended';
  return expiresAt === null ? 'valid' : `until ${formatMoment(expiresAt)}`;
}

async function readAllKeys(db: Database, filter: KeyFilter): Promise<KeyLine[]> {
  const keys: KeyLine[] = [];
  for (;;) {
    const page = await listKeys(db, filter, keys.at(-1)?.id, PAGE_ROWS);
    keys.push(...page);
    if (page.length < PAGE_ROWS) return keys;
  }
}
