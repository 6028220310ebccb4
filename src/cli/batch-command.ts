/** `forager batch …`: tasks that belong together. */
import type { Command } from 'commander';
import { rowLimit } from './option-values.ts';

const EXAMPLES = `
Examples:
  forager batch list
  forager batch show "Black Friday"
  forager batch pause "Black Friday"
  forager batch resume "Black Friday"
  forager batch restart "Black Friday" --only-failed

"forager task submit --batch NAME" makes one. A batch goes by its name or by its number.`;

const ACT_NOTES = `
A thousand tasks are moved at a time. If it is interrupted, the same command goes on; doing it twice is harmless.
What is added to a paused batch starts paused; tasks that were paused one by one stay so when it is resumed.
Cancelling leaves what is over as it is. "forager batch --help" has examples.`;

const RESTART_NOTES = `
Examples:
  forager batch restart "Black Friday"
  forager batch restart 7 --only-failed

Every task that is over begins again: completed, failed, cancelled or expired. Of several for one page it is the
newest, and none where the page has a live task.`;

const BATCH = 'its name or its number';

export function addBatchCommand(program: Command): void {
  const batch = program
    .command('batch')
    .description('tasks that belong together: watch, pause, cancel and restart all of them')
    .addHelpText('after', EXAMPLES);
  const actions = () => import('./batch-actions.ts');
  batch
    .command('list')
    .description('list batches, the newest first')
    .option('--search <text>', 'only those with this in their name')
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showBatches(command);
    });
  batch
    .command('show')
    .description('show one batch, and how many of its tasks are in which state')
    .argument('<batch>', BATCH)
    .addHelpText('after', EXAMPLES)
    .action(async (which: string, _options: unknown, command: Command) => {
      await (await actions()).showBatch(which, command);
    });
  for (const [name, what] of [
    ['pause', 'pause all tasks of a batch'],
    ['resume', 'let a paused batch go on'],
    ['cancel', 'cancel all tasks of a batch that are not over'],
  ] as const) {
    batch
      .command(name)
      .description(what)
      .argument('<batch>', BATCH)
      .addHelpText('after', ACT_NOTES)
      .action(async (which: string, _options: unknown, command: Command) => {
        await (await actions()).moveAndTell(name, which, command);
      });
  }
  batch
    .command('restart')
    .description('start all tasks of a batch that are over once more')
    .argument('<batch>', BATCH)
    .option('--only-failed', 'not those that were completed or cancelled')
    .addHelpText('after', RESTART_NOTES)
    .action(async (which: string, _options: unknown, command: Command) => {
      await (await actions()).moveAndTell('restart', which, command);
    });
}
