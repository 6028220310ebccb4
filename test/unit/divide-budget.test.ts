import { describe, expect, it } from 'vitest';
import { divideBudget } from '../../src/engine/claim/divide-budget.ts';

/** The same numbers at every run, small ones as likely as large ones. */
function* situations(count: number): Generator<{ available: number; waiting: number; room: number }> {
  let seed = 20_261;
  const next = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    const scale = 10 ** (seed % 7);
    return Math.floor((seed / 2_147_483_647) * Math.min(most, scale));
  };
  for (let n = 0; n < count; n += 1) {
    yield { available: next(1_000_000), waiting: next(100_000), room: next(2000) };
  }
}

describe('divideBudget', () => {
  it('never promises more than there is, and never a share of nothing', () => {
    for (const { available, waiting, room } of situations(20_000)) {
      const { pages, domains } = divideBudget(available, waiting, room);
      expect(pages * domains, `${available} among ${waiting}, room ${room}`).toBeLessThanOrEqual(
        Math.max(0, available),
      );
      expect(domains).toBeLessThanOrEqual(room);
      if (available > 0) expect(pages).toBeGreaterThanOrEqual(1);
      expect(Number.isInteger(pages) && Number.isInteger(domains)).toBe(true);
    }
  });

  it('has a part for everybody who waits as long as there are pages enough', () => {
    for (const { available, waiting } of situations(20_000)) {
      const { pages, domains } = divideBudget(available, waiting, Number.MAX_SAFE_INTEGER);
      if (available <= 0) continue;
      if (available >= waiting) expect(domains).toBeGreaterThanOrEqual(waiting);
      else expect({ pages, domains }).toEqual({ pages: 1, domains: available });
    }
  });

  it('gives nothing where nothing is left', () => {
    expect(divideBudget(0, 10, 100)).toEqual({ pages: 0, domains: 0 });
    expect(divideBudget(-5, 10, 100)).toEqual({ pages: 0, domains: 0 });
  });

  it('gives a hundred pages to fifty domains two by two', () => {
    expect(divideBudget(100, 50, 500)).toEqual({ pages: 2, domains: 50 });
  });

  it('gives one each to the first in the queue when there are more domains than pages', () => {
    expect(divideBudget(30, 100, 500)).toEqual({ pages: 1, domains: 30 });
  });

  it('keeps half of a large budget back for whoever comes later, and hands the rest out in portions', () => {
    expect(divideBudget(10_000, 10, 500)).toMatchObject({ pages: 500 });
    expect(divideBudget(10_000, 1, 500)).toMatchObject({ pages: 5000 });
    // What is left at the end is worth a lease.
    expect(divideBudget(60, 1, 500)).toMatchObject({ pages: 50 });
    expect(divideBudget(10, 1, 500)).toEqual({ pages: 10, domains: 1 });
  });
});
