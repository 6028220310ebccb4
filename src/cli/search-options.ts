/** `forager product search` and `forager page search`. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from './exit.ts';
import { positiveInteger } from './option-values.ts';
import { addProductFilters } from './product-filters.ts';

const QUERY = `
All words are wanted; "words in quotation marks" follow each other; -word must not be there (after --, so that it is
not taken for an option). Where nothing fits, similar words are tried, then any of the words. Where there are more,
--cursor leads to the next page: it is told at the end, and with --json in "nextCursor" of the last hit.`;

const PRODUCT_EXAMPLES = `
Examples:
  forager product search red running shoes
  forager product search '"running shoes"' --max-price 80 --currency EUR --sort price --order asc
  forager product search --json -- shoes -leather | jq -r '.product.url'
${QUERY}`;

const PAGE_EXAMPLES = `
Examples:
  forager page search brew coffee
  forager page search --domain example.com opening hours
${QUERY}
The text of a page can be found a while after it was read: a scheduler takes it, a crawl does at its end as far as two
seconds suffice, and "forager search index" does at once.`;

const SORTS = ['relevance', 'price', 'rating', 'updatedAt'];

export function addProductSearch(product: Command): void {
  const command = product
    .command('search')
    .description('find products by words')
    .argument('<words...>', 'what to search for');
  addProductFilters(command)
    .addOption(new Option('--sort <key>', 'the order').choices(SORTS).default('relevance'))
    .addOption(new Option('--order <order>', 'asc or desc').choices(['asc', 'desc']).default('desc'))
    .option('--limit <n>', 'at most so many', hitLimit, 20)
    .option('--cursor <text>', 'where the page before ended, as it was told there')
    .addHelpText('after', PRODUCT_EXAMPLES)
    .action(async (words: string[], _options: unknown, command: Command) => {
      await (await import('./show-found.ts')).showFoundProducts(wanted(words), command);
    });
}

export function addPageSearch(page: Command): void {
  page
    .command('search')
    .description('find pages by the words of their text')
    .argument('<words...>', 'what to search for')
    .option('--domain <name>', 'only those of this domain')
    .addOption(
      new Option('--sort <key>', 'the order').choices(['relevance', 'crawledAt']).default('relevance'),
    )
    .addOption(new Option('--order <order>', 'asc or desc').choices(['asc', 'desc']).default('desc'))
    .option('--limit <n>', 'at most so many', hitLimit, 20)
    .option('--cursor <text>', 'where the page before ended, as it was told there')
    .addHelpText('after', PAGE_EXAMPLES)
    .action(async (words: string[], _options: unknown, command: Command) => {
      await (await import('./show-found.ts')).showFoundPages(wanted(words), command);
    });
}

/** More are not put in order. */
function hitLimit(text: string): number {
  const value = positiveInteger(text);
  if (value <= 1000) return value;
  throw new InvalidArgumentError('It must be at most 1000.');
}

function wanted(words: readonly string[]): string[] {
  const said = words.filter((word) => word.trim() !== '');
  if (said.length === 0) throw new UsageError('There is nothing to search for: name a word.');
  return said;
}
