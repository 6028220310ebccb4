/** What `product list` and `product search` can be narrowed to: the same, read in the same way. */
import { type Command, InvalidArgumentError } from 'commander';
import { AVAILABILITIES, isPriceRange } from '../contract/products.ts';
import { exactPrice } from '../engine/products/exact-price.ts';
import { UsageError } from './exit.ts';

export function addProductFilters(command: Command): Command {
  return command
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
    .option('--missing', 'only those that are no longer on their page')
    .option('--no-missing', 'without those')
    .hook('preAction', (_program, action) => {
      if (isPriceRange(action.opts())) return;
      throw new UsageError('--min-price is more than --max-price.');
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
