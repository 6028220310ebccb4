/** `forager dead-letter …`: work that was given up. */
import { type Command, InvalidArgumentError } from 'commander';
import { MOST_REQUEUED } from '../contract/dead-letters.ts';
import { positiveInteger, rowLimit } from './option-values.ts';

const LIST_EXAMPLES = `
Examples:
  forager dead-letter list
  forager dead-letter list --domain example.com --limit 200
  forager dead-letter list --queue parse_queue --json

Tasks that failed for good, and messages that nobody could understand. The queue is where it was worked on last:
crawl_queue, priority_queue (priority 1 and 2) or parse_queue.`;

const REQUEUE_EXAMPLES = `
Examples:
  forager dead-letter requeue 17 18
  forager dead-letter requeue --domain example.com --dry-run
  forager dead-letter requeue --all --limit 5000

The tasks are pending again, with all their retries. A message without a task is marked as dealt with. Those
whose page has another task by now that is not over stay as they are. Doing it twice is harmless.`;

export function addDeadLetterCommand(program: Command): void {
  const letter = program.command('dead-letter').description('work that was given up, and its second chance');
  const actions = () => import('./dead-letter-actions.ts');
  letter
    .command('list')
    .description('list work that was given up, the latest first')
    .option('--queue <queue>', 'only of this queue')
    .option('--domain <domain>', 'only of this domain')
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showDeadLetters(command);
    });
  letter
    .command('requeue')
    .description('give work that was given up another chance')
    .argument('[ids...]', 'the numbers of single ones', collectIds)
    .option('--queue <queue>', 'all of this queue')
    .option('--domain <domain>', 'all of this domain')
    .option('--all', 'all there are')
    .option('--limit <n>', `at most so many, the oldest first (up to ${MOST_REQUEUED})`, portionLimit, 1000)
    .option('--dry-run', 'count, and change nothing')
    .addHelpText('after', REQUEUE_EXAMPLES)
    .action(async (ids: number[], _options: unknown, command: Command) => {
      await (await actions()).requeueAndTell(ids, command);
    });
}

function collectIds(text: string, before: unknown): number[] {
  return [...(Array.isArray(before) ? (before as number[]) : []), positiveInteger(text)];
}

function portionLimit(text: string): number {
  const value = positiveInteger(text);
  if (value > MOST_REQUEUED) throw new InvalidArgumentError(`It must be at most ${MOST_REQUEUED}.`);
  return value;
}
