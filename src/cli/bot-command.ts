/** `forager bot …`: programs that pull work and hand in results. */
import type { Command } from 'commander';
import { lifetimeSeconds } from './key-command.ts';
import { collect, positiveInteger } from './option-values.ts';

const ADD_EXAMPLES = `
Examples:
  forager bot add bot-001
  forager bot add shop-bot --domain shop.example --domain books.example --max-locks 20
  export FORAGER_BOT_KEY=$(forager bot add bot-002 --json | jq -r .token)
  curl -H "Authorization: Bearer $FORAGER_BOT_KEY" -H 'Content-Type: application/json' \\
       -d '{"bot_id": "bot-002", "max_jobs": 1}' localhost:3001/api/crawl/pull

The key is printed this once; only a hash of it is kept. A domain that is named covers its subdomains. A name is given
once: also that of a revoked bot stays taken.`;

const LIST_EXAMPLES = `
Examples:
  forager bot list
  forager bot list --all                 # also those that were revoked
  forager bot list --json | jq -r 'select(.successRate < 0.5) | .botId'

SUCCESS is the share of successes in all that is over for it; TIME is from pulling to handing in, on average.`;

const SHOW_EXAMPLES = `
Examples:
  forager bot show bot-001
  forager bot show bot-001 --json | jq .hours`;

const REVOKE_EXAMPLES = `
Examples:
  forager bot revoke bot-001

Holds at once: its keys are refused, and the jobs it holds go back to others without costing them a retry.`;

const KEY_EXAMPLES = `
Examples:
  forager bot key bot-001                # the key before has leaked: it is refused from now on
  forager bot key bot-001 --keep         # both work; "forager key revoke" ends the old one later`;

const NAME = 'the name of the bot';

export function addBotCommand(program: Command): void {
  const bot = program.command('bot').description('programs that pull work and hand in results');
  const actions = () => import('./bot-actions.ts');
  bot
    .command('add')
    .description('register a bot, and print its key once')
    .argument('<bot-id>', 'its name: letters, digits, ".", "_" and "-"')
    .option('--description <text>', 'what it is for')
    .option('--domain <name>', 'only jobs of this domain and its subdomains; may be given again', collect, [])
    .option('--max-locks <n>', 'jobs it may hold at a time (default: 100)', positiveInteger)
    .option('--max-jobs-per-hour <n>', 'jobs it may pull in an hour (default: no limit)', positiveInteger)
    .option('--expires <time>', 'when its key ends: 12h, 30d, 52w (default: never)', lifetimeSeconds)
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (botId: string, _options: unknown, command: Command) => {
      await (await actions()).addBot(botId, command);
    });
  bot
    .command('list')
    .description('list bots with their statistics, the newest first')
    .option('--all', 'also those that were revoked')
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showBots(command);
    });
  bot
    .command('show')
    .description('show one bot: its last hours, and the jobs it holds')
    .argument('<bot-id>', NAME)
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (botId: string, _options: unknown, command: Command) => {
      await (await actions()).showBot(botId, command);
    });
  bot
    .command('revoke')
    .description('end a bot at once')
    .argument('<bot-id>', NAME)
    .addHelpText('after', REVOKE_EXAMPLES)
    .action(async (botId: string, _options: unknown, command: Command) => {
      await (await actions()).endBot(botId, command);
    });
  bot
    .command('key')
    .description('give a bot a new key, and print it once')
    .argument('<bot-id>', NAME)
    .option('--keep', 'the keys it has go on working')
    .option('--expires <time>', 'when the new key ends: 12h, 30d, 52w (default: never)', lifetimeSeconds)
    .addHelpText('after', KEY_EXAMPLES)
    .action(async (botId: string, _options: unknown, command: Command) => {
      await (await actions()).renewKey(botId, command);
    });
}
