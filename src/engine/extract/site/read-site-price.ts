/** A price as a site parser gives it: on one line, or in parts. */
import { readCurrency } from '../values/find-currency.ts';
import { readAmount, readPrice } from '../values/read-price.ts';
import type { CheckedPrice } from './site-product-schema.ts';

export interface ReadSitePrice {
  readonly amount: string;
  readonly high: string | undefined;
  readonly currency: string | undefined;
}

export interface SitePriceHints {
  readonly currency: string | undefined;
  readonly language: string | undefined;
  readonly country: string | undefined;
}

export function readSitePrice(given: CheckedPrice, hints: SitePriceHints): ReadSitePrice | undefined {
  if (typeof given === 'number') return readParts(given, hints);
  if (typeof given === 'object') {
    return readParts(given.amount, { ...hints, currency: given.currency ?? hints.currency });
  }
  const reading = readPrice(given, hints);
  if (reading === undefined) return undefined;
  return { amount: reading.amount, high: reading.high, currency: reading.currency };
}

function readParts(amount: string | number, hints: SitePriceHints): ReadSitePrice | undefined {
  const digits = readAmount(amount, hints);
  const { currency } = hints;
  // Digits with a sign beside them are a price on one line after all.
  if (digits === undefined) return typeof amount === 'string' ? readSitePrice(amount, hints) : undefined;
  const code = currency === undefined ? undefined : currencyOf(currency, hints);
  return { amount: digits, high: undefined, currency: code };
}

export function currencyOf(
  text: string,
  { language, country }: Pick<SitePriceHints, 'language' | 'country'>,
): string | undefined {
  return readCurrency(text, { language, country })?.code;
}
