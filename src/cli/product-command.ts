/** `forager product …`: what is sold where, and how its price has changed. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AVAILABILITIES, CHANGE_FIELDS, PRODUCT_SORTS } from '../contract/products.ts';
import { exactPrice } from '../engine/products/exact-price.ts';
import { positiveInteger, rowLimit } from './option-values.ts';
import { addProductSearch } from './search-options.ts';
import { momentOption } from './time-option.ts';

const LIST_EXAMPLES = `
Examples:
  forager product list
  forager product list --domain shop.example --sort price --order asc
  forager product list --category "Garden > Tools" --max-price 50 --currency EUR --availability in_stock,limited
  forager product list --missing --changed-since 7d
  forager product list --json | jq -r '[.url, .price, .currency] | @tsv'

The newest first. --below takes the last number of one list to get the next. By price or rating are those that have
one. CHANGE is how the price moved when it last did; a product that is no longer on its page is lost.`;

const SHOW_EXAMPLES = `
Examples:
  forager product show 42
  forager product show https://shop.example/kettle
  forager product show 42 --json | jq .history`;

const CHANGES_EXAMPLES = `
Examples:
  forager product changes --since 1d
  forager product changes --domain shop.example --field price
  forager product changes --since 1d --json | jq -r 'select(.changes.price) | [.url, .changes.price[1]] | @tsv'

The latest first. Changes are kept for FORAGER_PRODUCT_EVENT_DAYS (90 days); the history of prices stays.`;

export function addProductCommand(program: Command): void {
  const product = program.command('product').description('what is sold where, and how its price has changed');
  addList(product);
  addProductSearch(product);
  product
    .command('show')
    .description('show a product, where it was read, and the history of its price')
    .argument('<id|url>', 'its number, as "forager product list" shows it, or its URL')
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (idOrUrl: string, _options: unknown, command: Command) => {
      await (await import('./show-product.ts')).showProduct(idOrUrl, command);
    });
  product
    .command('changes')
    .description('list what has changed')
    .option('--domain <name>', 'only of this domain')
    .addOption(new Option('--field <field>', 'only changes of this').choices(CHANGE_FIELDS))
    .option('--since <time>', 'only since then: 24h, 7d, 2026-01-31', momentOption)
    .option('--limit <n>', 'at most so many', rowLimit, 50)
    .addHelpText('after', CHANGES_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-product-changes.ts')).showProductChanges(command);
    });
}

function addList(product: Command): void {
  product
    .command('list')
    .description('list products')
    .option('--domain <name>', 'only those of this domain')
    .option('--min-price <price>', 'only those that cost at least this', priceValue)
    .option('--max-price <price>', 'only those that cost at most this', priceValue)
    .option('--currency <code>', 'only those with a price in this currency, such as EUR', currencyValue)
    .option(
      '--availability <list>',
      `only those that are one of ${AVAILABILITIES.join(', ')}`,
      availabilityList,
    )
    .option('--min-rating <n>', 'only those rated at least this, out of five', ratingValue)
    .option('--brand <name>', 'only those of this brand', textValue)
    .option(
      '--category <path>',
      'only those in this category or below it, such as "Garden > Tools"',
      textValue,
    )
    .option('--images', 'only those with images')
    .option('--no-images', 'only those without images')
    .option(
      '--changed-since <time>',
      'only those that have changed since then: 24h, 7d, 2026-01-31',
      momentOption,
    )
    .option('--missing', 'only those that are no longer on their page')
    .option('--no-missing', 'without those')
    .addOption(new Option('--sort <key>', 'the order').choices(PRODUCT_SORTS).default('id'))
    .addOption(new Option('--order <order>', 'asc or desc (default: desc)').choices(['asc', 'desc']))
    .addOption(
      new Option('--below <id>', 'only those with a smaller number (in the order of numbers)')
        .argParser(positiveInteger)
        .conflicts(['sort', 'order']),
    )
    .option('--limit <n>', 'at most so many', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-products.ts')).showProducts(command);
    });
}

function priceValue(text: string): string {
  const price = /^[\d.]+$/.test(text) ? exactPrice(text) : undefined;
  if (price === undefined) throw new InvalidArgumentError('It must be a price in digits, such as 19.99.');
  return price;
}

function currencyValue(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError('It must be three letters, such as EUR.');
  return text.toUpperCase();
}

function ratingValue(text: string): string {
  if (/^(?:[0-4](?:\.\d{1,2})?|5(?:\.0{1,2})?)$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a number from 0 to 5.');
}

function textValue(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.includes('\0')) throw new InvalidArgumentError('It must be some text.');
  return trimmed;
}

function availabilityList(text: string): string[] {
  return text.split(',').map((name) => {
    const known = AVAILABILITIES.find((availability) => availability === name.trim());
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`Choose from ${AVAILABILITIES.join(', ')}.`);
  });
}
