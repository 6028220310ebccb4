/** Prints what a bot has brought, below its task. */
import type { TaskResult } from '../control/results/read-result.ts';
import type { CommandContext } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import { shorten } from './format.ts';
import { formatInstant } from './moments.ts';
import { describeAvailability, describePrice } from './product-words.ts';

const LONGEST_DATA = 300;

export function printResult(context: CommandContext, result: TaskResult): void {
  const { inStock, parsedData, productId, botId, crawledAt, createdAt } = result;
  printHeading(context, 'Result');
  printFields(
    context,
    [
      ['brought', `by ${botId ?? 'a bot that is not there any more'}, ${formatInstant(createdAt)}`],
      ['seen', formatInstant(crawledAt)],
      ['price', describePrice(result)],
      ['title', result.title],
      ['in stock', describeAvailability(inStock === null ? null : inStock ? 'in_stock' : 'out_of_stock')],
      ['data', parsedData === null ? null : shorten(JSON.stringify(parsedData), LONGEST_DATA)],
      ['page', result.hasHtml ? 'kept: "forager task restart-parsing" parses it' : null],
      ['product', productId],
    ],
    '  ',
  );
}
