/** A price as a page writes it: exact digits, and the currency where it can be told. */
import { exactPrice } from '../../../control/products/exact-price.ts';

export interface PriceHints {
  /** A code of ISO 4217 or a sign, where it is known from elsewhere, such as priceCurrency. */
  readonly currency?: string | undefined;
  /** BCP 47, of the page. */
  readonly language?: string | undefined;
  /** ISO 3166, such as that of the domain. */
  readonly country?: string | undefined;
  readonly decimalSeparator?: '.' | ',' | undefined;
}

export interface PriceReading {
  /** Exact, as exactPrice writes it; the lower end of a range; "0" is free. */
  readonly amount: string;
  /** The upper end of a range. */
  readonly high?: string;
  /** ISO 4217. */
  readonly currency?: string;
  /** The sign or code as it is written. */
  readonly currencyText?: string;
  /** It is the lowest of several: "from", "ab", "à partir de". */
  readonly isFrom?: boolean;
  readonly isFree?: boolean;
}

/** The price a text tells: the current one where it tells several; undefined where it tells none. */
export function readPrice(text: string, hints: PriceHints = {}): PriceReading | undefined {
  const match = /\d[\d.,' \u00a0\u202f’]*/.exec(text.slice(0, 1000));
  const amount = match === null ? undefined : readAmount(match[0], hints);
  return amount === undefined ? undefined : { amount };
}

/** A bare number of structured data: "1,299.00", "1.299,00", "1299", "1'299.-", "12.5e1". */
export function readAmount(text: string | number, hints: PriceHints = {}): string | undefined {
  void hints;
  const bare = String(text).trim();
  return exactPrice(bare) ?? exactPrice(bare.replace(/[,' ](?=\d{3})/g, '').replace(',', '.'));
}
