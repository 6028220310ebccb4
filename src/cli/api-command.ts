/** `forager api`: the server alone. */
import type { Command } from 'commander';
import { makeContext } from './context.ts';
import { addServerOptions, type ServerOptions, serverOverrides } from './server-options.ts';

const EXAMPLES = `
Examples:
  forager api
  forager api --port 8080 --json | tee api.jsonl
  DATABASE_URL=postgres://… forager api --host 0.0.0.0

The server without a worker, for a fleet: start as many as you like with the same DATABASE_URL, and workers with
"forager worker". The first start prints the name and password of an administrator, once. Logs are lines of JSON on
standard error. Ctrl-C or SIGTERM finishes requests under way and ends it; a second one ends it at once.`;

export function addApiCommand(program: Command): void {
  addServerOptions(program.command('api').description('serve the API alone, for a fleet'))
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServerOptions, command: Command) => {
      const { runApi } = await import('./run-api.ts');
      await runApi(makeContext(command, serverOverrides(options)));
    });
}
