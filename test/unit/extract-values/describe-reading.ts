/** A reading on one line, so that tables of tests are easy to read. */
import type { PriceReading } from '../../../src/engine/extract/values/read-price.ts';

export function describeReading(reading: PriceReading | undefined): string {
  if (reading === undefined) return 'none';
  const { amount, high, currency, currencyText, isFrom, isFree } = reading;
  const span = high === undefined ? amount : `${amount}..${high}`;
  const money = currency ?? (currencyText === undefined ? '' : `?${currencyText}`);
  return [span, money, isFrom === true ? 'from' : '', isFree === true ? 'free' : '']
    .filter(Boolean)
    .join(' ');
}
