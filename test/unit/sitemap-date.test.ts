import { describe, expect, test } from 'vitest';
import { readWebDate } from '../../src/engine/frontier/sitemap-date.ts';

describe('a date on the web', () => {
  test.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-03', '2024-03-01T00:00:00.000Z'],
    ['2024-03-09', '2024-03-09T00:00:00.000Z'],
    ['2024-03-09T10:20Z', '2024-03-09T10:20:00.000Z'],
    ['2024-03-09T10:20:30+02:00', '2024-03-09T08:20:30.000Z'],
    ['2024-03-09T10:20:30.456789-05:00', '2024-03-09T15:20:30.456Z'],
    ['2024-03-09T10:20:30+0200', '2024-03-09T08:20:30.000Z'],
    ['2024-03-09T10:20:30', '2024-03-09T10:20:30.000Z'],
    ['2024-03-09 10:20:30', '2024-03-09T10:20:30.000Z'],
    ['2024-3-9', '2024-03-09T00:00:00.000Z'],
    ['Sat, 09 Mar 2024 10:20:30 GMT', '2024-03-09T10:20:30.000Z'],
    ['Sat, 9 Mar 2024 10:20:30 +0100', '2024-03-09T09:20:30.000Z'],
    ['9 Mar 2024 10:20:30 EST', '2024-03-09T15:20:30.000Z'],
    ['9 Mar 2024 10:20:30', '2024-03-09T10:20:30.000Z'],
    ['Saturday, 09-Mar-24 10:20:30 GMT', '2024-03-09T10:20:30.000Z'],
    ['March 9, 2024', '2024-03-09T00:00:00.000Z'],
    ['  2024-03-09\n', '2024-03-09T00:00:00.000Z'],
  ])('written %j is %s, wherever it is read', (text, iso) => {
    const zone = process.env.TZ;
    try {
      for (const place of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
        process.env.TZ = place;
        expect(readWebDate(text)?.toISOString()).toBe(iso);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test.each(['', 'yesterday', 'page 3', '3', '2024-13-45', '20240309', `2024-03-09${' '.repeat(90)}x`])(
    'is not %j',
    (text) => {
      expect(readWebDate(text)).toBeUndefined();
    },
  );
});
