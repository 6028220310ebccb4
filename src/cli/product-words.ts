/** Prices, stock and changes of products in words and figures. */
import type { Availability } from '../engine/extract/product-fields.ts';
import { printable, shorten } from './format.ts';
import type { Style } from './terminal.ts';

interface Price {
  readonly price: string | null;
  readonly currency: string | null;
}

/** As it is stored, with two decimals at least: prices are written so. */
export function describePrice({ price, currency }: Price): string | null {
  if (price === null) return null;
  const [whole, decimals = ''] = price.split('.');
  const amount = `${whole}.${decimals.padEnd(2, '0')}`;
  return currency === null ? amount : `${amount} ${currency}`;
}

export function describeRange(product: Price & { readonly priceHigh: string | null }): string | null {
  const { priceHigh: price, currency } = product;
  const lowest = describePrice({ price: product.price, currency: price === null ? currency : null });
  return price === null || lowest === null ? lowest : `${lowest} – ${describePrice({ price, currency })}`;
}

const STOCK: Readonly<Record<Availability, string>> = {
  in_stock: 'yes',
  limited: 'few left',
  preorder: 'preorder',
  backorder: 'backorder',
  in_store_only: 'in store',
  out_of_stock: 'no',
  discontinued: 'discontinued',
};

export function describeAvailability(availability: Availability | null): string | null {
  return availability === null ? null : STOCK[availability];
}

/** By how much, such as -20 %; null where that says nothing. */
export function describeMove(before: Price | null, after: Price, style: Style): string | null {
  if (before === null || before.currency !== after.currency || before.price === after.price) return null;
  const [was, is] = [Number(before.price), Number(after.price)];
  if (before.price === null || after.price === null || was === 0) return null;
  const percent = ((is - was) / was) * 100;
  const digits = Math.abs(percent) < 9.95 ? 1 : 0;
  // A move that rounds to nothing is one nevertheless.
  const text = percent > 0 ? `+${percent.toFixed(digits)} %` : `${percent.toFixed(digits)} %`;
  return percent < 0 ? style.green(text) : style.red(text);
}

const LONGEST_VALUE = 40;

/** A value of a change on one line. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value) && value.length === 0) return '–';
  return printable(shorten(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE));
}
