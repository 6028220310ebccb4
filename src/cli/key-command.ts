/** `forager key …`: what programs show to the server instead of a password. */
import { type Command, InvalidArgumentError } from 'commander';
import { KEY_SCOPES, type KeyScope } from '../contract/access.ts';
import { positiveInteger } from './option-values.ts';

const CREATE_EXAMPLES = `
Examples:
  forager key create --user anna                              # may read
  forager key create --user admin --scopes read,crawl --expires 30d --name nightly
  forager key create --bot robby
  curl -H "Authorization: Bearer $(forager key create --user anna --json | jq -r .token)" localhost:3001/api/domains

The key is printed this once; only a hash of it is kept. One of a user does no more than that user may:
  read      everything that was crawled, and how the crawl goes
  crawl     adding URLs and seeds, tasks and batches, recovering what a dead worker held
  manage    domains, pages, jobs: changing, resetting, deleting
  accounts  users, keys, the audit log
A bot's key pulls work and hands in results, and does nothing else.`;

const LIST_EXAMPLES = `
Examples:
  forager key list
  forager key list --user anna
  forager key list --json | jq -r 'select(.lastUsedAt == null) | .id'

Revoked and ended keys are listed with --all. LAST USED is right to the minute.`;

const REVOKE_EXAMPLES = `
Examples:
  forager key revoke 7

Holds at once. "forager key list" shows the numbers.`;

export function addKeyCommand(program: Command): void {
  const key = program.command('key').description('what programs show to the server instead of a password');
  const actions = () => import('./key-actions.ts');
  key
    .command('create')
    .description('make a key for a user or for a bot, and print it once')
    .option('--user <username>', 'whose key it is')
    .option('--bot <name>', 'make the key of a bot of this name instead')
    .option('--scopes <list>', 'what it may do: read, crawl, manage, accounts (default: read)', scopeList)
    .option('--name <text>', 'what it is for (default: "command line")')
    .option('--expires <time>', 'when it ends: 12h, 30d, 52w (default: never)', lifetimeSeconds)
    .addHelpText('after', CREATE_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).createKey(command);
    });
  key
    .command('list')
    .description('list keys, the newest first')
    .option('--user <username>', 'only those of this user')
    .option('--all', 'also those that were revoked or have ended')
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showKeys(command);
    });
  key
    .command('revoke')
    .description('revoke a key')
    .argument('<id>', 'its number', positiveInteger)
    .addHelpText('after', REVOKE_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).endKey(id, command);
    });
}

/** To work is for bots, whose keys do nothing else. */
const PEOPLES_SCOPES = KEY_SCOPES.filter((scope) => scope !== 'work');

function scopeList(text: string): KeyScope[] {
  const names = text.split(',').map((name) => name.trim());
  const known = PEOPLES_SCOPES.filter((scope) => names.includes(scope));
  if (known.length === new Set(names).size) return known;
  throw new InvalidArgumentError(`It must be some of ${PEOPLES_SCOPES.join(', ')}, separated by commas.`);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 604_800 };

export function lifetimeSeconds(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a number of hours, days or weeks, such as 12h, 30d or 52w.');
}
