/**
 * Is what was found a product, and can it be right? The same rules for every parser.
 *
 * invalid: something that is there cannot be right in a way that makes the whole doubtful: no sensible name, a price
 * that is none. partial: it is a product, and its name, or the price of something that can be had, or the currency of
 * its price is missing. What is wrong with lesser fields is told, the field left out, and the rest kept.
 */
import { comparePrices, isAbove, WELL_FORMED_PRICE } from './product/compare-prices.ts';
import type { MutableFields } from './product/found-fields.ts';
import type { Availability, FieldName, FieldProblem, FoundFields, Verdict } from './product-fields.ts';
import { isCurrencyCode } from './values/currencies.ts';

export interface Judgement {
  readonly verdict: Verdict;
  readonly problems: readonly FieldProblem[];
  readonly fields: FoundFields;
}

const HIGHEST_PRICE = '10000000';
/** Currencies of which a dollar is hundreds or thousands: prices there have three digits more, or five. */
const SMALL_MONEY: ReadonlySet<string> = new Set(
  'JPY KRW HUF CLP CRC ISK KZT RSD AMD DZD LKR NPR PKR INR NGN KES LBP SYP YER MMK XOF XAF ARS ALL JMD'.split(
    ' ',
  ),
);
const SMALLEST_MONEY: ReadonlySet<string> = new Set(
  'IDR VND IRR LAK UZS GNF PYG COP KHR MGA SLL STN TZS UGX RWF BIF IQD'.split(' '),
);
/** What is sold out needs no price: many shops take it away. */
const GONE: ReadonlySet<Availability | undefined> = new Set(['out_of_stock', 'discontinued']);
const HIGHEST_LIST_RATIO_DIGITS = 2;
const MOST_REVIEWS = 100_000_000;

/** What templates and scripts leave where a name should be. */
const NO_NAME =
  /^(?:undefined|null|nan|none|n\/a|\[object object\]|product|product name|untitled|test|error|404.*)$/i;
const TEMPLATE = /\{\{|\}\}|\{%|%\}|<%|\$\{|\[\[|##\w+##/;

export function judgeProduct(found: FoundFields): Judgement {
  const problems: FieldProblem[] = [];
  const fields: MutableFields = { ...found };
  const tell = (field: FieldName, code: string, message: string): void => {
    problems.push({ field, code, message });
  };
  let isWrong = false;

  const name = found.name?.value;
  if (name === undefined) tell('name', 'missing', 'The product has no name.');
  else if (!/[\p{L}\p{N}]/u.test(name) || NO_NAME.test(name.trim()) || TEMPLATE.test(name)) {
    isWrong = true;
    tell('name', 'bad-format', `${quote(name)} is not the name of a product.`);
  }

  const currency = found.currency?.value;
  if (currency !== undefined && !isCurrencyCode(currency)) {
    delete fields.currency;
    tell('currency', 'unknown', `${quote(currency)} is not a currency.`);
  }
  const isGone = GONE.has(found.availability?.value);
  // Nothing is asked for what cannot be had: a template's zero, not a gift.
  if (isGone && found.price?.value === '0') dropPrices(fields);
  const price = fields.price?.value;
  if (price !== undefined) {
    if (!WELL_FORMED_PRICE.test(price)) {
      isWrong = true;
      dropPrices(fields);
      tell('price', 'bad-format', `${quote(price)} is not a price.`);
    } else if (isAbove(price, highestPrice(currency))) {
      isWrong = true;
      dropPrices(fields);
      tell('price', 'implausible', `A price of ${price} ${currency ?? ''} is more than anything costs.`);
    }
    if (fields.currency === undefined && price !== '0' && !isWrong)
      tell('currency', 'missing', 'The price is in no known currency.');
  }
  checkOtherPrices(fields, tell);
  checkRating(fields, tell);
  const isPriceMissing = price === undefined && !isGone;
  if (isPriceMissing) tell('price', 'missing', 'There is no price, and it is not said to be sold out.');

  if (isWrong) return { verdict: 'invalid', problems, fields };
  const isMissing = name === undefined || isPriceMissing;
  const isWithoutCurrency = price !== undefined && price !== '0' && fields.currency === undefined;
  return { verdict: isMissing || isWithoutCurrency ? 'partial' : 'valid', problems, fields };
}

function dropPrices(fields: MutableFields): void {
  delete fields.price;
  delete fields.priceHigh;
  delete fields.listPrice;
}

type Tell = (field: FieldName, code: string, message: string) => void;

function checkOtherPrices(fields: MutableFields, tell: Tell): void {
  const price = fields.price?.value;
  const high = fields.priceHigh?.value;
  if (
    high !== undefined &&
    (price === undefined || !WELL_FORMED_PRICE.test(high) || comparePrices(high, price) <= 0)
  ) {
    delete fields.priceHigh;
    tell('priceHigh', 'implausible', `${quote(high)} is not above the price.`);
  }
  const list = fields.listPrice?.value;
  if (list === undefined) return;
  if (price === undefined || !WELL_FORMED_PRICE.test(list) || comparePrices(list, price) <= 0) {
    delete fields.listPrice;
    tell('listPrice', 'implausible', `${quote(list)} is not above the price.`);
  } else if (price !== '0' && isAbove(list, shifted(price, HIGHEST_LIST_RATIO_DIGITS))) {
    delete fields.listPrice;
    tell('listPrice', 'implausible', `${quote(list)} is more than a hundred times the price.`);
  }
}

function checkRating(fields: MutableFields, tell: Tell): void {
  const rating = fields.rating?.value;
  if (rating !== undefined && !/^(?:[0-4](?:\.\d{1,2})?|5(?:\.0{1,2})?)$/.test(rating)) {
    delete fields.rating;
    tell('rating', 'implausible', `${quote(rating)} is not a rating out of five.`);
  }
  const count = fields.reviewCount?.value;
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0 && count <= MOST_REVIEWS)) {
    delete fields.reviewCount;
    tell('reviewCount', 'implausible', `${count} is not a number of reviews.`);
  }
}

function highestPrice(currency: string | undefined): string {
  if (currency === undefined) return HIGHEST_PRICE;
  if (SMALLEST_MONEY.has(currency)) return shifted(HIGHEST_PRICE, 5);
  return SMALL_MONEY.has(currency) ? shifted(HIGHEST_PRICE, 3) : HIGHEST_PRICE;
}

/** Times ten to the number of digits, in decimal. */
function shifted(price: string, digits: number): string {
  const [whole = '0', fraction = ''] = price.split('.');
  const moved = `${whole}${fraction.padEnd(digits, '0').slice(0, digits)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(digits);
  return rest === '' ? moved : `${moved}.${rest}`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
