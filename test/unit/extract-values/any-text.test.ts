/** The readers are handed whatever pages say: none of them throws, whatever that is, and what they return is in form. */
import { describe, expect, it } from 'vitest';
import { AVAILABILITIES } from '../../../src/engine/extract/product-fields.ts';
import { cleanLine, cleanProse } from '../../../src/engine/extract/values/clean-value.ts';
import { isCurrencyCode } from '../../../src/engine/extract/values/currencies.ts';
import { readAvailability } from '../../../src/engine/extract/values/read-availability.ts';
import { readGtin } from '../../../src/engine/extract/values/read-gtin.ts';
import { readAmount, readPrice } from '../../../src/engine/extract/values/read-price.ts';
import { readCount, readRating } from '../../../src/engine/extract/values/read-rating.ts';

const PIECES = [
  ...[
    '0',
    '1',
    '12',
    '99',
    '299',
    '000',
    '1234567',
    '9'.repeat(50),
    '.',
    ',',
    "'",
    '’',
    ' ',
    '\u00a0',
    '\n',
    '-',
    '–',
    '%',
  ],
  ...[
    '$',
    '€',
    '£',
    '¥',
    'kr',
    'USD',
    'руб.',
    'R$',
    'from',
    'was',
    'now',
    'to',
    'for',
    'x',
    'kg',
    'free',
    'in stock',
    'out of',
  ],
  ...[
    '/',
    '(',
    ')',
    ':',
    '★',
    '٫',
    '٬',
    '٣',
    '⁹⁹',
    '\ud83d',
    '\u0000',
    '\u202e',
    '<b>',
    '&amp;',
    '&#0;',
    'e308',
    '😀',
    'ß',
    'İ',
  ],
];

/** The same texts in every run. */
function* texts(count: number): Generator<string> {
  let state = 42;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let index = 0; index < count; index += 1) {
    let text = '';
    for (let left = 1 + next(14); left > 0; left -= 1) text += PIECES[next(PIECES.length)] ?? '';
    yield text;
  }
}

const AMOUNT = /^(?:0|[1-9]\d{0,12})(?:\.\d{0,5}[1-9])?$/;

describe('any text', () => {
  it('is read without an exception, and what comes out is in form', () => {
    for (const text of texts(5_000)) {
      const price = readPrice(text, { currency: 'kr', language: 'sv', country: 'SE' });
      if (price !== undefined) {
        expect(price.amount, text).toMatch(AMOUNT);
        if (price.high !== undefined) expect(price.high, text).toMatch(AMOUNT);
        if (price.currency !== undefined) expect(isCurrencyCode(price.currency), text).toBe(true);
      }
      const amount = readAmount(text);
      if (amount !== undefined) expect(amount, text).toMatch(AMOUNT);
      const rating = readRating(text, { best: text, worst: text });
      if (rating !== undefined) expect(rating, text).toMatch(/^(?:[0-4](?:\.\d?[1-9])?|5)$/);
      const count = readCount(text);
      if (count !== undefined) expect(Number.isSafeInteger(count) && count >= 0, text).toBe(true);
      const availability = readAvailability(text);
      if (availability !== undefined) expect(AVAILABILITIES, text).toContain(availability);
      readGtin(text);
      expect(cleanLine(text, 20), text).not.toMatch(/\p{Cs}/u);
      expect(cleanProse(text, 20).length, text).toBeLessThanOrEqual(20);
    }
  });

  it('costs no more for being long: only its beginning is looked at', () => {
    for (const piece of [
      '1',
      '1 ',
      '1.',
      '$',
      '$1 ',
      '1 € ',
      'free over ',
      '1-',
      '0 ',
      "1'",
      '1,',
      'was ',
      '★',
      '<',
      '&',
      ' ',
      '% ',
      '+1 ',
    ]) {
      const text = piece.repeat(200_000);
      readPrice(text);
      readAmount(text);
      readAvailability(text);
      readRating(text);
      readCount(text);
      readGtin(text);
      cleanLine(text, 500);
      cleanProse(text, 5_000);
    }
  });

  it('is as bounded where a language or a currency is nonsense', () => {
    for (const hint of [
      '',
      'x',
      'de-',
      '-'.repeat(10_000),
      '\u0000',
      'en-US-u-nu-arab',
      '€'.repeat(10_000),
    ]) {
      expect(readPrice('12,50 €', { language: hint, country: hint, currency: hint })).toMatchObject({
        amount: '12.5',
        currency: 'EUR',
      });
    }
  });
});
