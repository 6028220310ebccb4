/** `forager error …`: what went wrong, and how often. */
import { type Command, Option } from 'commander';
import { ERROR_CATEGORIES } from '../contract/errors.ts';
import { positiveInteger, rowLimit } from './option-values.ts';
import { momentOption } from './time-option.ts';

const LIST_EXAMPLES = `
Examples:
  forager error list
  forager error list --domain example.com --since 24h
  forager error list --task 1234
  forager error list --category http --since 2026-01-31 --until 2026-02-01 --json

Errors of tasks and of URLs that were found, each attempt one, the latest first. They are kept for
FORAGER_ERROR_LOG_DAYS (30 days).
Categories: network, http, robots, parse, validation, proxy. CODE is how the fetch ended.`;

const STATS_EXAMPLES = `
Examples:
  forager error stats
  forager error stats --since 30d --top 20
  forager error stats --domain example.com --json`;

const WHEN = 'how long ago (90m, 24h, 7d) or a time (2026-01-31, 2026-01-31T12:00:00Z)';

export function addErrorCommand(program: Command): void {
  const error = program.command('error').description('what went wrong, and how often');
  error
    .command('list')
    .description('list errors, the latest first')
    .addOption(new Option('--category <category>', 'only of this category').choices(ERROR_CATEGORIES))
    .option('--domain <domain>', 'only of this domain')
    .option('--task <id>', 'only of this task', positiveInteger)
    .option('--code <code>', 'only those that ended like this')
    .option('--since <time>', `only from then on: ${WHEN}`, momentOption)
    .option('--until <time>', 'only before then', momentOption)
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./error-actions.ts')).showErrors(command);
    });
  error
    .command('stats')
    .description('count errors by category, code, domain and day')
    .option('--since <time>', `from then on: ${WHEN} (default: 7d)`, momentOption)
    .option('--until <time>', 'before then (default: now)', momentOption)
    .option('--domain <domain>', 'only of this domain')
    .option('--top <n>', 'how many domains and codes to show', positiveInteger, 10)
    .addHelpText('after', STATS_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./error-actions.ts')).showErrorStats(command);
    });
}
