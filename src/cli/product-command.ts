/** `forager product …`: what is sold where, and how its price has changed. */
import { type Command, Option } from 'commander';
import { CHANGE_FIELDS, PRODUCT_SORTS } from '../contract/products.ts';
import { positiveInteger, rowLimit } from './option-values.ts';
import { addProductFilters } from './product-filters.ts';
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
  addProductFilters(product.command('list').description('list products'))
    .option('--images', 'only those with images')
    .option('--no-images', 'only those without images')
    .option(
      '--changed-since <time>',
      'only those that have changed since then: 24h, 7d, 2026-01-31',
      momentOption,
    )
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
