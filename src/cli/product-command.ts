/** `forager product …`: what is sold where, and how its price has changed. */
import type { Command } from 'commander';
import { positiveInteger, rowLimit } from './option-values.ts';

const LIST_EXAMPLES = `
Examples:
  forager product list
  forager product list --domain shop.example --limit 200
  forager product list --json | jq -r '[.url, .price, .currency] | @tsv'

The newest first. --below takes the last number of one list to get the next.`;

const SHOW_EXAMPLES = `
Examples:
  forager product show 42
  forager product show 42 --json | jq .history`;

export function addProductCommand(program: Command): void {
  const product = program.command('product').description('what is sold where, and how its price has changed');
  product
    .command('list')
    .description('list products')
    .option('--domain <name>', 'only those of this domain')
    .option('--below <id>', 'only those with a smaller number', positiveInteger)
    .option('--limit <n>', 'at most so many', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-products.ts')).showProducts(command);
    });
  product
    .command('show')
    .description('show a product and the history of its price')
    .argument('<id>', 'its number, as "forager product list" shows it', positiveInteger)
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await import('./show-products.ts')).showProduct(id, command);
    });
}
