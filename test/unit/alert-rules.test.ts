/** What the rules go by, apart from where it is read. */
import { describe, expect, test } from 'vitest';
import { describeShortage } from '../../src/control/alerts/disk-low.ts';
import { findGrowth } from '../../src/control/alerts/frontier-backlog.ts';

describe('frontier-backlog', () => {
  const sizes = (values: readonly number[], apart = 1, age = 0) =>
    values.map((size, index) => ({ atMinute: 100 + index * apart, size, ageMinutes: age }));

  test('growth is told from what is none', () => {
    const growing = [1000, 1110, 1240, 1370, 1520, 1690];
    expect(findGrowth(sizes(growing))).toEqual({ from: 1000, to: 1690, minutes: 5 });
    expect(findGrowth(sizes(growing.slice(1)))).toBeUndefined();
    expect(findGrowth(sizes(growing.map((size) => size / 10)))).toBeUndefined();
    expect(findGrowth(sizes([1000, 1110, 1240, 1300, 1520, 1690]))).toBeUndefined();
    expect(findGrowth(sizes(growing, 1, 11))).toBeUndefined();
    expect(findGrowth([])).toBeUndefined();
  });

  test('a frontier that is measured every few minutes must grow as much in a minute', () => {
    expect(findGrowth(sizes([1000, 1600, 2600], 4))).toEqual({ from: 1000, to: 2600, minutes: 8 });
    expect(findGrowth(sizes([1000, 1300, 1700], 4))).toBeUndefined();
  });
});

describe('disk-low', () => {
  const gb = 1024 ** 3;
  test.each([
    [100 * gb, 6 * gb, false],
    [100 * gb, 4 * gb, true],
    [10 * gb, 0.9 * gb, true],
    [10 * gb, 1.1 * gb, false],
    [0, 0, false],
  ])('of %d bytes %d left: low is %s', (totalBytes, freeBytes, isLow) => {
    expect(describeShortage({ totalBytes, freeBytes }) !== undefined).toBe(isLow);
  });
});
