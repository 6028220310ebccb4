/** `forager worker`: one of any number that work on the standing order; `forager worker list`: who is there. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { makeContext } from './context.ts';
import { addWorkerListCommand } from './worker-list.ts';

const EXAMPLES = `
Examples:
  forager seed --file shops.csv && forager worker
  forager worker --until-idle                     # ends when there is nothing left to do
  DATABASE_URL=postgres://… forager worker --id rack7-a
  forager worker --crawl-only & forager worker --parse-only      # fetching and parsing apart
  forager worker list

Start as many as you like, on as many machines as you like, with the same DATABASE_URL: each domain is with one
of them at a time. Ctrl-C or SIGTERM finishes what is in flight, commits and gives the domains back; a second one
stops at once. Nothing is lost either way.

A worker parses what it fetches, and the bodies of tasks whose parsing was restarted. Apart: one with --crawl-only keeps
the pages that tasks ask for and leaves them to the others; one with --parse-only speaks to no site. Both need the same
data directory, where the bodies are.`;

export interface WorkerOptions {
  readonly id?: string;
  readonly untilIdle?: true;
  readonly scope: 'host' | 'domain' | 'any';
  readonly allowPrivate?: true;
  readonly crawlOnly?: true;
  readonly parseOnly?: true;
}

export function addWorkerCommand(program: Command): void {
  const worker = program
    .command('worker')
    .description('work on the standing order, beside any number of other workers')
    .option(
      '--id <name>',
      'a name for this worker, its own among all (default: made from host and process)',
      workerName,
    )
    .option('--until-idle', 'end when there is nothing left to do, for this worker or any other')
    .addOption(
      new Option('--scope <scope>', 'where links may lead, for domains that have no rule of their own')
        .choices(['host', 'domain', 'any'])
        .default('host'),
    )
    .addOption(
      new Option(
        '--crawl-only',
        'fetch and keep the pages of tasks, and leave parsing them to others',
      ).conflicts('parseOnly'),
    )
    .option('--parse-only', 'claim no domain and fetch nothing: parse the bodies that tasks have waiting')
    .option('--allow-private', 'also fetch from loopback and private addresses')
    .addHelpText('after', EXAMPLES)
    .action(async (options: WorkerOptions, command: Command) => {
      const overrides = options.allowPrivate === true ? { allowPrivate: true } : {};
      const { FLEET_DEFAULTS } = await import('./fleet-role.ts');
      const context = makeContext(command, overrides, FLEET_DEFAULTS);
      if (options.parseOnly === true) {
        const { runParser } = await import('./run-parser.ts');
        return runParser(options, context);
      }
      const { runWorker } = await import('./run-worker.ts');
      await runWorker(options, context);
    });
  addWorkerListCommand(worker);
}

function workerName(text: string): string {
  if (!/^[\w.@:-]{1,100}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 100 letters, digits, and any of . _ - : @');
  }
  return text;
}
