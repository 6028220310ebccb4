/** `forager seed`: puts sites into the standing order, which workers work on. */
import { type Command, InvalidArgumentError } from 'commander';
import { makeContext } from './context.ts';
import { positiveInteger } from './option-values.ts';

export interface SeedOptions {
  readonly file?: string;
  readonly redis?: string | true;
  readonly follow?: true;
  readonly source?: string;
  readonly maxPagesPerRun?: number;
  readonly allowPrivate?: true;
}

const EXAMPLES = `
Examples:
  forager seed example.com https://example.org/shop/
  forager seed --file tranco.csv.gz
  zcat list.gz | grep '\\.de$' | forager seed --file - --source german-sites
  forager seed --redis start_urls --follow

A list has one site a line, or columns with a rank (1,example.com or example.com,1, or a header that names
them); gzip is recognised. A bad line is told and passed over. A known domain keeps its state and its settings;
loading a list again changes nothing. Ctrl-C stops cleanly: what was counted is stored.
Redis (REDIS_URL): members of a sorted set are sites, scores are ranks. Each is removed once it is stored; bad
ones are moved to KEY:bad.`;

export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .argument('[urls...]', 'sites or pages to begin with')
    .description('put sites into the standing order that workers work on')
    .option('--file <file>', 'read sites from a file ("-" reads standard input)')
    .option('--redis [key]', 'take sites out of a sorted set in Redis (default key: start_urls)')
    .option('--follow', 'with --redis: wait for more until stopped')
    .option('--source <name>', 'where new domains are said to come from (default: by the input)', sourceName)
    .option('--max-pages-per-run <n>', 'most pages of a new domain before others get their turn', pagesPerRun)
    .option('--allow-private', 'also take loopback and private addresses')
    .addHelpText('after', EXAMPLES)
    .action(async (urls: string[], options: SeedOptions, command: Command) => {
      const { runSeed } = await import('./run-seed.ts');
      const context = makeContext(command, options.allowPrivate ? { allowPrivate: true } : {});
      await runSeed(urls, options, context);
    });
}

function sourceName(text: string): string {
  if (!/^[^\p{C}]{1,100}$/u.test(text.trim())) {
    throw new InvalidArgumentError('It must be a name of 1 to 100 characters.');
  }
  return text.trim();
}

function pagesPerRun(text: string): number {
  const value = positiveInteger(text);
  if (value > 1_000_000_000) throw new InvalidArgumentError('It must be at most 1000000000.');
  return value;
}
