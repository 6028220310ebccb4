/** `forager demo`: a small web of its own on this machine, crawled before your eyes. */
import path from 'node:path';
import type { Command } from 'commander';
import { makeContext } from './context.ts';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a small demo web on this machine and crawl it')
    .option('--serve', 'only serve it, to look at it in a browser, until Ctrl-C')
    .addHelpText('after', '\nExample:\n  forager demo')
    .action(async (options: { serve?: true }, command: Command) => {
      const { runDemo } = await import('./run-demo.ts');
      const { dataDir } = command.optsWithGlobals<{ dataDir?: string }>();
      const overrides = {
        allowPrivate: true,
        delayMs: 50,
        ...(dataDir === undefined ? { dataDir: path.resolve('.forager', 'demo') } : {}),
      };
      await runDemo(makeContext(command, overrides), options.serve === true);
    });
}
