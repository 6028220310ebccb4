import { expect, it } from 'vitest';
import { retryAfterMs } from '../../src/engine/politeness/retry-after.ts';

const now = new Date('2026-11-15T12:00:00Z');

it.each<[string | undefined, number | undefined]>([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5000],
  ['9999999999', 86_400_000],
  ['Sun, 15 Nov 2026 12:01:00 GMT', 60_000],
  ['Sunday, 15-Nov-26 12:01:00 GMT', 60_000],
  ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ['Wed, 15 Nov 2028 12:00:00 GMT', 86_400_000],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['5 minutes', undefined],
  ['2027', 2_027_000],
  ['99999999999999999999', undefined],
])('reads "%s" as %s', (value, expected) => {
  expect(retryAfterMs(value, now)).toBe(expected);
});
