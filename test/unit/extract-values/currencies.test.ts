/** Codes, decimals, and which of the currencies that share a sign is meant. */
import { describe, expect, it } from 'vitest';
import {
  CURRENCY_CODES,
  currencyOfCountry,
  isCurrencyCode,
  isWholeCurrency,
  minorUnits,
} from '../../../src/engine/extract/values/currencies.ts';
import { type CurrencyHints, readCurrency } from '../../../src/engine/extract/values/find-currency.ts';

describe('the codes', () => {
  it('are all different and of three letters', () => {
    expect(new Set(CURRENCY_CODES).size).toBe(CURRENCY_CODES.length);
    expect(CURRENCY_CODES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(isCurrencyCode('EUR')).toBe(true);
    expect(isCurrencyCode('eur')).toBe(false);
    expect(isCurrencyCode('XYZ')).toBe(false);
  });

  it('have the decimals that the standard gives them', () => {
    expect(['JPY', 'KRW', 'VND', 'CLP', 'ISK'].map(minorUnits)).toEqual([0, 0, 0, 0, 0]);
    expect(['KWD', 'BHD', 'TND', 'OMR', 'JOD', 'IQD', 'LYD'].map(minorUnits)).toEqual([3, 3, 3, 3, 3, 3, 3]);
    expect(['EUR', 'USD', 'HUF', 'XYZ'].map(minorUnits)).toEqual([2, 2, 2, 2]);
    expect(['JPY', 'HUF', 'IDR', 'EUR'].map(isWholeCurrency)).toEqual([true, true, true, false]);
  });

  it('are known for the countries', () => {
    expect(['de', 'US', 'gb', 'UK', 'ch', 'SE', 'sn', 'JP'].map(currencyOfCountry)).toEqual([
      ...['EUR', 'USD', 'GBP', 'GBP', 'CHF', 'SEK', 'XOF', 'JPY'],
    ]);
    expect(currencyOfCountry('ZZ')).toBeUndefined();
    expect(currencyOfCountry('__proto__')).toBeUndefined();
  });
});

describe('a currency by itself', () => {
  const rows: readonly (readonly [string, string | undefined, CurrencyHints?])[] = [
    ['EUR', 'EUR'],
    ['eur', 'EUR'],
    [' usd ', 'USD'],
    ['€', 'EUR'],
    ['$', 'USD'],
    ['$', 'CAD', { country: 'CA' }],
    ['$', 'AUD', { language: 'en-AU' }],
    ['$', 'USD', { country: 'DE' }],
    ['$', 'USD', { language: 'not a language at all' }],
    ['R$', 'BRL'],
    ['¥', 'JPY'],
    ['¥', 'CNY', { language: 'zh' }],
    ['kr', undefined],
    ['kr', 'DKK', { language: 'da' }],
    ['£', 'GBP'],
    ['£', 'EGP', { country: 'EG' }],
    ['Rs.', 'INR'],
    ['zł', 'PLN'],
    ['руб.', 'RUB'],
    ['price in USD', 'USD'],
    ['', undefined],
    ['XYZ', undefined],
    ['constructor', undefined],
  ];
  for (const [text, code, hints] of rows) {
    it(`${JSON.stringify(text)} is ${code}${hints === undefined ? '' : ` (${JSON.stringify(hints)})`}`, () => {
      expect(readCurrency(text, hints)?.code).toBe(code);
    });
  }
});
