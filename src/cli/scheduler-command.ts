/** `forager scheduler`: says what is to be done now; `forager scheduler list`: who does, and who leads. */
import type { Command } from 'commander';
import { makeContext } from './context.ts';

const EXAMPLES = `
Examples:
  forager scheduler
  DATABASE_URL=postgres://… forager scheduler --json 2> scheduler.jsonl
  forager scheduler list

Start one, or two on different machines with the same DATABASE_URL: one leads, the others take its place when it is
gone. "forager up" brings one along. It queues tasks when their time has come, runs policies, frees what workers, bots
and parsers left behind, and sends webhooks. Ctrl-C or SIGTERM finishes what it is at; a second one stops at once.`;

const LIST_EXAMPLES = `
Examples:
  forager scheduler list
  forager scheduler list --json | jq -r 'select(.state == "leading") | .id'

One that has been silent for a minute is shown as dead; another leads then. Those that stopped within a day come
last.`;

export function addSchedulerCommand(program: Command): void {
  const scheduler = program
    .command('scheduler')
    .description('say what is to be done now: tasks and policies that are due')
    .addHelpText('after', EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      const { runScheduler } = await import('./run-scheduler.ts');
      await runScheduler(makeContext(command));
    });
  scheduler
    .command('list')
    .description('list the schedulers of this database: who leads, and when they were last heard of')
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./scheduler-list.ts')).showSchedulers(command);
    });
}
