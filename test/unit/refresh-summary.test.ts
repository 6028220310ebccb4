import { describe, expect, it } from 'vitest';
import { isFruitless } from '../../src/cli/crawl-summary.ts';
import { refreshLines } from '../../src/cli/refresh-lines.ts';
import type { RunDomain, RunSummary } from '../../src/control/runs/run-summary.ts';

const domain = (reason: string | null): RunDomain => ({
  ...{
    domain: 'a.example',
    status: reason === null ? 'exhausted' : 'blocked',
    pages: 0,
    fetches: 0,
    errors: 0,
  },
  ...{ bytes: 0, discovered: 1, reason, code: reason === null ? null : 'forbidden', restingUntil: null },
});
const summary = (changes: Partial<RunSummary>): RunSummary => ({
  ...{ runId: 1, pages: 0, fetches: 0, errors: 0, bytes: 0, durationMs: 1, statusCodes: {}, outcomes: {} },
  ...{
    skipped: {},
    refreshed: {},
    products: {},
    domains: [domain(null)],
    domainCount: 1,
    duplicates: 0,
    ...changes,
  },
});
const plain = (text: string): string => text;
const style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };

describe('a crawl that has read nothing', () => {
  it('has failed where a domain could not be read, and not where nothing was due', () => {
    expect(isFruitless(summary({ domains: [domain('refused us')] }))).toBe(true);
    expect(isFruitless(summary({}))).toBe(false);
  });

  it('but found pages unchanged has not failed, whatever became of another domain', () => {
    const domains = [domain(null), domain('refused us')];
    expect(isFruitless(summary({ domains, refreshed: { unchanged: 3 } }))).toBe(false);
    expect(isFruitless(summary({ domains, refreshed: { unread: 3 } }))).toBe(true);
  });
});

describe('what was found of known pages', () => {
  it('is told line by line, and not at all where nothing was read again', () => {
    expect(refreshLines(summary({}), style)).toEqual([]);
    expect(refreshLines(summary({ refreshed: { gone: 2, unchanged: 1200, changed: 7 } }), style)).toEqual([
      '  Known pages read again',
      '    1,200  unchanged',
      '        7  changed',
      '        2  gone',
      '',
    ]);
  });
});
