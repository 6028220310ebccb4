/** `forager export …`: what was crawled, as JSON lines or CSV, for other programs. */
import { type Command, Option } from 'commander';
import { collect, positiveInteger } from './option-values.ts';
import { momentOption } from './time-option.ts';

const PAGES_EXAMPLES = `
Examples:
  forager export pages -o pages.jsonl
  forager export pages --domain example.com -o example.csv
  forager export pages --with text,markdown | jq -r .markdown | less
  forager export pages --run 3 --include-noindex --format csv > run3.csv

--with adds fields read from the kept pages: text and markdown (the main content), article (the same with
author, date and kind, as an object), visibleText (all of it), html. They are null where no body was kept.
Pages that ask not to be indexed (noindex) are left out unless --include-noindex is given. Pages that are gone
from their site are kept as they were last read; goneAt says since when, missingSince that they are looked for.`;

const PRODUCTS_EXAMPLES = `
Examples:
  forager export products -o products.csv
  forager export products --domain shop.example --since 1d

Prices are text, exact to the last digit. --since leaves out what has not changed since then.`;

const PRICES_EXAMPLES = `
Examples:
  forager export prices -o prices.csv
  forager export prices --domain shop.example --since 30d | jq -r '[.url, .at, .price] | @tsv'

One row for each change of price, currency or availability of a product; the first one is what it was at first.
Prices are text, exact to the last digit.`;

const EXAMPLES = `
Examples:
  forager export WHAT -o WHAT.jsonl
  forager export WHAT --domain example.com --format csv`;

const NOTE = `
A file appears whole or not at all. CSV cells that a spreadsheet would run as a formula get an apostrophe.`;

export function addExportCommand(program: Command): void {
  const exported = program
    .command('export')
    .description('write what was crawled to a file or to standard output');
  addTarget(exported.command('pages').description('the pages, with what was read from them'))
    .option(
      '--with <fields>',
      'further fields from the kept pages: text, markdown, article, visibleText, html (comma-separated)',
    )
    .option('--include-noindex', 'also pages that ask not to be indexed')
    .option('--gone', 'only pages that are gone from their site')
    .option('--no-gone', 'without pages that are gone from their site')
    .addHelpText('after', PAGES_EXAMPLES + NOTE)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-export.ts')).runPagesExport(command);
    });
  addTarget(exported.command('urls').description('every known URL and what became of it'))
    .addHelpText('after', EXAMPLES.replaceAll('WHAT', 'urls') + NOTE)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-export.ts')).runUrlsExport(command);
    });
  addTarget(exported.command('log').description('the log: one row per fetch'))
    .addHelpText('after', EXAMPLES.replaceAll('WHAT', 'log') + NOTE)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-export.ts')).runLogExport(command);
    });
  addOutput(exported.command('products').description('the products, as they are known'))
    .option('--since <time>', 'only those that have changed since then: 24h, 7d, 2026-01-31', momentOption)
    .addHelpText('after', PRODUCTS_EXAMPLES + NOTE)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-export.ts')).runProductsExport(command);
    });
  addOutput(exported.command('images').description('where images were seen, and what is known of them'))
    .addHelpText('after', EXAMPLES.replaceAll('WHAT', 'images') + NOTE)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-export.ts')).runImagesExport(command);
    });
  addOutput(exported.command('prices').description('the history of prices and availability'))
    .option('--since <time>', 'only changes since then: 24h, 7d, 2026-01-31', momentOption)
    .addHelpText('after', PRICES_EXAMPLES + NOTE)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-export.ts')).runPricesExport(command);
    });
}

function addTarget(command: Command): Command {
  return addOutput(command).option('--run <id>', 'only what belongs to this run', positiveInteger);
}

function addOutput(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'jsonl or csv (default: by the name of the file, else jsonl)').choices([
        'jsonl',
        'csv',
      ]),
    )
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .option('--domain <domain>', 'only this domain (repeatable)', collect, []);
}
