/** argv → command. Exit codes: 0 ok, 1 failed, 2 the command line is wrong. */
import { Command, CommanderError } from 'commander';
import { describeError } from '../platform/errors.ts';
import { readProgramVersion } from '../platform/program-version.ts';
import { addCrawlCommand } from './crawl-command.ts';
import { addDemoCommand } from './demo-command.ts';
import { EXIT_FAILED, EXIT_USAGE, QuietExit, UsageError } from './exit.ts';

export function makeProgram(): Command {
  const program = new Command('forager')
    .description('Crawl sites durably and politely: stop it in any way, start it again, lose nothing.')
    .version(readProgramVersion())
    .option('--data-dir <dir>', 'where everything is kept (default: FORAGER_DATA_DIR or ~/.forager)')
    .option('--json', 'results as JSON, for machines')
    .option('--no-color', 'no colours, also on a terminal')
    .enablePositionalOptions(false)
    .showHelpAfterError('(forager --help shows what there is)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'forager: ')) });
  addCrawlCommand(program);
  addDemoCommand(program);
  return program;
}

export async function runCli(args: readonly string[]): Promise<number> {
  const program = makeProgram();
  overrideExit(program);
  try {
    if (args.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof QuietExit) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  process.stderr.write(`forager: ${describeError(error)}\n`);
  return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
}

/** The parser must not end the process: open databases are closed on the way out. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) overrideExit(child);
}
