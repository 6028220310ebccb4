/** `forager worker list`: who works on this database. */
import type { Command } from 'commander';

const EXAMPLES = `
Examples:
  forager worker list
  forager worker list --json | jq -r 'select(.state == "dead") | .id'

DOES says what it does with tasks: --crawl-only leaves parsing to others, --parse-only does nothing else.
DOMAINS is what the leases in the database say, which is what counts. A worker that has been silent for two
minutes is shown as dead: its leases are free when they expire, at the latest. PAGES/S is since its start.
Those that stopped within a day come last.`;

export function addWorkerListCommand(worker: Command): void {
  worker
    .command('list')
    .description('list the workers of this database: what they hold, and when they were last heard of')
    .addHelpText('after', EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await listWorkersAction(command);
    });
}

export async function listWorkersAction(command: Command): Promise<void> {
  await (await import('./show-workers.ts')).showWorkers(command);
}
