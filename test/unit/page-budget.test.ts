import { describe, expect, it } from 'vitest';
import { PageBudget } from '../../src/engine/page-budget.ts';

describe('the page budget', () => {
  it('lets no more visits start than pages are left', () => {
    const budget = new PageBudget(3, 1);
    expect([budget.tryReserve(), budget.tryReserve(), budget.tryReserve()]).toEqual([true, true, false]);
  });

  it('gives a reservation back when the visit was no page', () => {
    const budget = new PageBudget(1);
    expect(budget.tryReserve()).toBe(true);
    budget.settle(false);
    expect(budget.isSpent).toBe(false);
    expect(budget.tryReserve()).toBe(true);
    budget.settle(true);
    expect(budget.isSpent).toBe(true);
    expect(budget.tryReserve()).toBe(false);
  });

  it('without a limit never ends', () => {
    const budget = new PageBudget(undefined, 1_000_000);
    expect(budget.tryReserve()).toBe(true);
    expect(budget.isSpent).toBe(false);
  });
});
