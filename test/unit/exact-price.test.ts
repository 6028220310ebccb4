import { describe, expect, it } from 'vitest';
import { exactPrice } from '../../src/engine/products/exact-price.ts';

describe('exact prices', () => {
  it.each([
    ['99.99', '99.99'],
    [99.99, '99.99'],
    ['099.900', '99.9'],
    [0, '0'],
    ['0.000', '0'],
    ['5.', '5'],
    [0.1 + 0.2, '0.3'],
    [1.005, '1.005'],
    [1e-7, '0'],
    [5e-7, '0.000001'],
    ['0.0000005', '0.000001'],
    ['0.00000049', '0'],
    ['1e3', '1000'],
    ['0.9999999', '1'],
    ['9999999999999.999999', '9999999999999.999999'],
    [9_999_999_999.99, '9999999999.99'],
    ['1234567890123', '1234567890123'],
    [' 7.50 ', '7.5'],
  ])('%s is %s', (given, wanted) => {
    expect(exactPrice(given)).toBe(wanted);
  });

  it.each([
    ...['', ' ', '-1', '1,5', 'NaN', 'Infinity', '1.2.3', '0x10', '.5', '1e', '12345678901234', '1e13'],
    ...['9999999999999.9999999', '1e999', '٣', '1_000'],
  ])('"%s" is no price that can be kept', (given) => {
    expect(exactPrice(given)).toBeUndefined();
  });

  it('numbers that are none are no prices', () => {
    for (const given of [Number.NaN, Number.POSITIVE_INFINITY, -0.01])
      expect(exactPrice(given)).toBeUndefined();
  });

  it('what it writes it reads as the same', () => {
    for (let cents = 0; cents < 20_000; cents += 7) {
      const text = exactPrice(cents / 100);
      expect(text).toBe(exactPrice(`${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`));
      expect(exactPrice(text ?? '')).toBe(text);
    }
  });
});
