/** `forager product search` and `forager page search`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { positiveInteger } from './option-values.ts';

const QUERY = `
All words are wanted; "words in quotation marks" follow each other; -word must not be there (after --, so that it is
not taken for an option). Where nothing fits, similar words are tried, then any of the words.`;

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
The text of a page can be found a while after it was read; "forager search index" does it at once.`;

const SORTS = ['relevance', 'price', 'rating', 'updatedAt'];

export function addProductSearch(product: Command): void {
  product
    .command('search')
    .description('find products by words')
    .argument('<words...>', 'what to search for')
    .option('--domain <name>', 'only those of this domain')
    .option('--min-price <price>', 'only those that cost at least this', decimal)
    .option('--max-price <price>', 'only those that cost at most this', decimal)
    .option('--currency <code>', 'only those with a price in this currency, such as EUR')
    .option('--availability <what>', 'only those that are this, such as in_stock')
    .option('--min-rating <n>', 'only those rated at least this, out of five', decimal)
    .option('--brand <name>', 'only those of this brand')
    .option('--category <path>', 'only those of this category')
    .addOption(new Option('--sort <key>', 'the order').choices(SORTS).default('relevance'))
    .addOption(new Option('--order <order>', 'asc or desc').choices(['asc', 'desc']).default('desc'))
    .option('--limit <n>', 'at most so many', hitLimit, 20)
    .addHelpText('after', PRODUCT_EXAMPLES)
    .action(async (words: string[], _options: unknown, command: Command) => {
      await (await import('./show-found.ts')).showFoundProducts(words, command);
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
    .addHelpText('after', PAGE_EXAMPLES)
    .action(async (words: string[], _options: unknown, command: Command) => {
      await (await import('./show-found.ts')).showFoundPages(words, command);
    });
}

function decimal(text: string): string {
  if (/^\d{1,14}(?:\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a number in digits, such as 19.99.');
}

/** More are not put in order. */
function hitLimit(text: string): number {
  const value = positiveInteger(text);
  if (value <= 1000) return value;
  throw new InvalidArgumentError('It must be at most 1000.');
}
