/** argv → command → exit code (exit.ts has them all). */
import { Command, CommanderError } from 'commander';
import { describeError, ForagerError } from '../platform/errors.ts';
import { readProgramVersion } from '../platform/program-version.ts';
import { hasOutputFailed, tolerateClosedOutput } from '../platform/standard-output.ts';
import { EXIT_FAILED, EXIT_USAGE, QuietExit, UsageError } from './exit.ts';
import { hideArguments } from './hide-arguments.ts';

/**
 * The commands, in the order of the help. Each is loaded when it is asked for: scripts call the small ones
 * (`url normalize`, `robots check`) often, and must not wait for a database driver they never use.
 */
const COMMANDS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  up: async (program) => (await import('./up-command.ts')).addUpCommand(program),
  crawl: async (program) => (await import('./crawl-command.ts')).addCrawlCommand(program),
  seed: async (program) => (await import('./seed-command.ts')).addSeedCommand(program),
  demo: async (program) => (await import('./demo-command.ts')).addDemoCommand(program),
  worker: async (program) => (await import('./worker-command.ts')).addWorkerCommand(program),
  scheduler: async (program) => (await import('./scheduler-command.ts')).addSchedulerCommand(program),
  api: async (program) => (await import('./api-command.ts')).addApiCommand(program),
  policy: async (program) => (await import('./policy-command.ts')).addPolicyCommand(program),
  domain: async (program) => (await import('./domain-command.ts')).addDomainCommand(program),
  task: async (program) => (await import('./task-command.ts')).addTaskCommand(program),
  bot: async (program) => (await import('./bot-command.ts')).addBotCommand(program),
  batch: async (program) => (await import('./batch-command.ts')).addBatchCommand(program),
  page: async (program) => (await import('./page-command.ts')).addPageCommand(program),
  product: async (program) => (await import('./product-command.ts')).addProductCommand(program),
  image: async (program) => (await import('./image-command.ts')).addImageCommand(program),
  parser: async (program) => (await import('./parser-command.ts')).addParserCommand(program),
  search: async (program) => (await import('./search-command.ts')).addSearchCommand(program),
  export: async (program) => (await import('./export-command.ts')).addExportCommand(program),
  explain: async (program) => (await import('./explain-command.ts')).addExplainCommand(program),
  inspect: async (program) => (await import('./inspect-command.ts')).addInspectCommand(program),
  robots: async (program) => (await import('./robots-command.ts')).addRobotsCommand(program),
  url: async (program) => (await import('./url-command.ts')).addUrlCommand(program),
  price: async (program) => (await import('./price-command.ts')).addPriceCommand(program),
  proxy: async (program) => (await import('./proxy-command.ts')).addProxyCommand(program),
  error: async (program) => (await import('./error-command.ts')).addErrorCommand(program),
  'dead-letter': async (program) => (await import('./dead-letter-command.ts')).addDeadLetterCommand(program),
  webhook: async (program) => (await import('./webhook-command.ts')).addWebhookCommand(program),
  user: async (program) => (await import('./user-command.ts')).addUserCommand(program),
  key: async (program) => (await import('./key-command.ts')).addKeyCommand(program),
  db: async (program) => (await import('./db-command.ts')).addDbCommand(program),
  doctor: async (program) => (await import('./doctor-command.ts')).addDoctorCommand(program),
};

/** The whole program, or, given the name of one of its commands, the part that command needs; `args`: what it is given. */
export async function makeProgram(only?: string, args: readonly string[] = []): Promise<Command> {
  const program = new Command('forager')
    .description('Crawl sites durably and politely: stop it in any way, start it again, lose nothing.')
    .version(readProgramVersion())
    .option('--data-dir <dir>', 'where everything is kept (default: FORAGER_DATA_DIR or ~/.forager)')
    .option('--json', 'results as JSON, for machines')
    .option('--no-color', 'no colours, also on a terminal')
    .enablePositionalOptions(false)
    .showHelpAfterError('(forager --help shows what there is)')
    .configureOutput({
      outputError: (text, write) => write(hideArguments(text.replace(/^error: /, 'forager: '), args)),
    });
  const wanted = only === undefined ? undefined : COMMANDS[only];
  for (const add of wanted === undefined ? Object.values(COMMANDS) : [wanted]) await add(program);
  return program;
}

export async function runCli(args: readonly string[]): Promise<number> {
  tolerateClosedOutput();
  const program = await makeProgram(findCommandName(args), args);
  overrideExit(program);
  try {
    if (args.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync([...args], { from: 'user' });
    return hasOutputFailed() ? EXIT_FAILED : 0;
  } catch (error) {
    return report(error, args);
  }
}

/** The first argument that is neither an option nor the value of one; undefined if it names no command. */
function findCommandName(args: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--data-dir') index += 1;
    else if (!arg.startsWith('-')) return Object.hasOwn(COMMANDS, arg) ? arg : undefined;
  }
  return undefined;
}

function report(error: unknown, args: readonly string[]): number {
  if (error instanceof QuietExit) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  process.stderr.write(`forager: ${hideArguments(describeError(error), args)}\n`);
  return isUsageError(error) ? EXIT_USAGE : EXIT_FAILED;
}

/** Also what only the work behind a command can see: text that is no URL, no domain name. */
function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof ForagerError && BAD_ARGUMENTS.has(error.code);
}

/** The parser must not end the process: open databases are closed on the way out. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) overrideExit(child);
}

const BAD_ARGUMENTS: ReadonlySet<string> = new Set([
  'bad-url',
  'bad-domain',
  'bad-parser',
  'bad-pattern',
  'bad-proxy',
  'bad-webhook-url',
  'bad-webhook-secret',
  'bad-timezone',
  'schedule-past',
  'schedule-too-far',
]);
