/** `forager up`: everything on this machine. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { makeContext } from './context.ts';
import { addServerOptions, type ServerOptions, serverOverrides } from './server-options.ts';

const EXAMPLES = `
Examples:
  forager up
  forager up --demo                # with a small web of its own to crawl
  forager up --port 8080 --data-dir /var/lib/forager

API, scheduler and worker in one process, on the embedded database (or the one of DATABASE_URL). The first start prints
the name and password of an administrator, once. Ctrl-C or SIGTERM finishes what is in flight, commits, gives the
domains back and ends; a second one ends at once. Nothing is lost either way. With --demo the data lies in
.forager/demo-up of the current directory, unless --data-dir or FORAGER_DATA_DIR says otherwise.`;

export interface UpOptions extends ServerOptions {
  readonly demo?: true;
  readonly scope: 'host' | 'domain' | 'any';
}

export function addUpCommand(program: Command): void {
  addServerOptions(program.command('up').description('everything on this machine: API, scheduler and worker'))
    .option(
      '--demo',
      'serve a small demo web on this machine and crawl it; nothing else that is private is fetched',
    )
    .addOption(
      new Option('--scope <scope>', 'where links may lead, for domains that have no rule of their own')
        .choices(['host', 'domain', 'any'])
        .default('host'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: UpOptions, command: Command) => {
      const { runUp } = await import('./run-up.ts');
      const { FLEET_DEFAULTS } = await import('./fleet-role.ts');
      const demoDefaults = { ...FLEET_DEFAULTS, delayMs: 50, dataDir: path.resolve('.forager', 'demo-up') };
      const defaults = options.demo === true ? demoDefaults : FLEET_DEFAULTS;
      await runUp(options, makeContext(command, serverOverrides(options), defaults));
    });
}
