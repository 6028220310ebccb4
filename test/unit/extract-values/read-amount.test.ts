/** Bare numbers of structured data. */
import { describe, expect, it } from 'vitest';
import { type PriceHints, readAmount } from '../../../src/engine/extract/values/read-price.ts';

describe('a number of structured data', () => {
  const rows: readonly (readonly [string | number, string | undefined, PriceHints?])[] = [
    ['1,299.00', '1299'],
    ['1.299,00', '1299'],
    ['1299', '1299'],
    ['1 299,00', '1299'],
    ['1\u00a0299,00', '1299'],
    ["1'299.-", '1299'],
    ['1’299.50', '1299.5'],
    ['12.5e1', '125'],
    ['1.25E2', '125'],
    ['2879.2', '2879.2'],
    ['2879.20', '2879.2'],
    ['19.9900', '19.99'],
    ['  19.99 ', '19.99'],
    ['+19.99', '19.99'],
    ['.99', '0.99'],
    ['0', '0'],
    ['0.00', '0'],
    ['00012.50', '12.5'],
    ['12,5', '12.5'],
    ['1,00,000.50', '100000.5'],
    ['١٬٢٣٤٫٥٠', '1234.5'],
    ['12.605', '12.605'],
    ['1,299', '1299'],
    ['1.299', '1299', { language: 'de' }],
    ['1.299', '1.299', { language: 'en' }],
    ['1.299', '1299', { currency: 'IDR' }],
    ['1.299', '1.299', { currency: 'KWD' }],
    ['1.299', '1299', { decimalSeparator: ',' }],
    ['19.99 EUR', '19.99'],
    ['$19.99', '19.99'],
    ['12.50 - 15.00', '12.5'],
    [19.99, '19.99'],
    [1.299, '1.299'],
    [1e21, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['1e308', undefined],
    ['1e-400', undefined],
    ['-5', undefined],
    ['', undefined],
    ['abc', undefined],
    ['1.5.2', undefined],
    ['12345678901234', undefined],
    ['1'.repeat(400), undefined],
    [`0.${'1'.repeat(400)}`, undefined],
  ];
  for (const [text, amount, hints] of rows) {
    it(`${JSON.stringify(text).slice(0, 60)} is ${amount}${hints === undefined ? '' : ` (${JSON.stringify(hints)})`}`, () => {
      expect(readAmount(text, hints)).toBe(amount);
    });
  }
});
