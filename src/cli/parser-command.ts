/** `forager parser …`: what reads products off pages, how well it does, and trying another one. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { positiveInteger, wholeNumber } from './option-values.ts';

const MOST_SAMPLED = 100_000;
const MOST_DAYS = 90;

const LIST_EXAMPLES = `
Examples:
  forager parser list
  forager parser list --json | jq 'select(.lastDay.rate < 0.8)'

Parsers are the generic one, those that come along with Forager, the files in FORAGER_PARSERS_DIR (by default the folder
parsers in the data directory) and those of FORAGER_PARSERS. RATE is the share of product pages of the last 24 hours on
which what a product needs was found. "forager domain set <domain> --parser <name>" chooses one for a domain.`;

const SHOW_EXAMPLES = `
Examples:
  forager parser show generic
  forager parser show my-shop --domain shop.example.com --days 30`;

const COMPARE_EXAMPLES = `
Examples:
  forager parser compare ./my-shop.mjs --domain shop.example.com
  forager parser compare my-shop --with ./my-shop-2.mjs --domain shop.example.com --sample 500
  forager parser compare generic --with my-shop --domain shop.example.com --json

Reads stored pages of a domain with both parsers and tells where they agree. Alone, the parser is the new one, and the old
one is that of the domain; with --with, it is the old one, and that is the new one. Nothing is fetched and nothing is
written. Most of the pages are such as have a product; pages without a kept body are left out.`;

const TRY_EXAMPLES = `
Examples:
  forager parser try ./my-shop.mjs https://shop.example.com/p/kettle
  forager parser try ./my-shop.mjs kettle.html --base https://shop.example.com/p/kettle
  forager parser try amazon page.html --base https://www.amazon.com/dp/B000000000 --json

One request, made because you asked for it: robots.txt is not consulted. Nothing is stored.`;

export function addParserCommand(program: Command): void {
  const parser = program.command('parser').description('what reads products off pages, and how well it does');
  parser
    .command('list')
    .description('the parsers there are, and how well they do')
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./parser-list.ts')).listAndTell(command);
    });
  parser
    .command('show')
    .description('one parser: by day and version, and the domains it does worst on')
    .argument('<name>', 'its name')
    .option('--domain <domain>', 'only on this domain')
    .option('--days <n>', 'how far back', days, 14)
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./parser-list.ts')).showAndTell(name, command);
    });
  parser
    .command('compare')
    .description('try a parser on stored pages, next to another one')
    .argument('<name|file>', 'a parser there is, or the file of one')
    .requiredOption('--domain <domain>', 'whose pages are read')
    .option('--with <name|file>', 'the new one, where the first is the old one')
    .option('--sample <n>', 'how many pages to read', sampleSize, 200)
    .addHelpText('after', COMPARE_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./parser-compare.ts')).compareAndTell(name, command);
    });
  parser
    .command('try')
    .description('read one page with a parser, and show what it finds')
    .argument('<name|file>', 'a parser there is, or the file of one')
    .argument('<url|file>', 'an http(s) URL, a file, or "-" for standard input')
    .option(
      '--base <url>',
      'the address a file was saved from: parsers look at it, and links are resolved by it',
    )
    .option('--content-type <type>', 'the Content-Type a file was served with, for its charset')
    .option('--allow-private', 'also fetch from loopback and private addresses')
    .option('--user-agent <text>', 'introduce yourself under another name')
    .addHelpText('after', TRY_EXAMPLES)
    .action(async (name: string, source: string, _options: unknown, command: Command) => {
      await (await import('./show-inspection.ts')).showTrial(name, source, command);
    });
}

function days(text: string): number {
  const value = positiveInteger(text);
  if (value > MOST_DAYS) throw new InvalidArgumentError(`It must be at most ${MOST_DAYS}.`);
  return value;
}

function sampleSize(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MOST_SAMPLED)
    throw new InvalidArgumentError(`It must be from 1 to ${MOST_SAMPLED}.`);
  return value;
}
