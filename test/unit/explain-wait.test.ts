import { describe, expect, test } from 'vitest';
import { hintOverHttp } from '../../src/api/http-hints.ts';
import { explainWait, type WaitFacts } from '../../src/control/tasks/explain-wait.ts';

const FACTS: WaitFacts = {
  ...{ id: 9, status: 'queued', scheduledAt: new Date(0), isEarly: false, retryCount: 0 },
  ...{ reason: null, movedBy: 'cli:anna', executor: 'forager', isWaiting: false },
  ...{ parentTaskId: null, parentStatus: null, batchId: null, batchName: null, isBatchPaused: false },
  ...{ domain: 'a.example', isActive: true, domainStatus: 'pending', blockReason: null, restsUntil: null },
  ...{ maintenanceUntil: null, claimedBy: null, isInCrawl: false, isCrawlRunning: null, aheadCount: 0 },
  ...{ hasScheduler: true, hasWorker: true, hasParser: true },
};
const tell = (facts: Partial<WaitFacts>): string => {
  const { code, sentence } = explainWait({ ...FACTS, ...facts }) ?? {};
  return `${code}: ${sentence}`;
};

describe('a task that waits says for whom, and what to do', () => {
  test('queued while only parsers run: that nobody crawls, and how to start one', () => {
    expect(tell({ hasWorker: false })).toBe(
      'no-worker: No worker runs that crawls, only such as parse: "forager worker" or "forager up" starts one.',
    );
    expect(tell({ hasWorker: false, hasParser: false })).toMatch(
      /^no-worker: No worker runs that could take/,
    );
    expect(tell({})).toMatch(/^worker: /);
  });

  test('to be parsed while nobody parses: that, and how to start one; also before a retry', () => {
    const parsing = { status: 'queued_parse', hasParser: false } as const;
    expect(tell(parsing)).toMatch(
      /^no-parser: .* only such as crawl: "forager worker --parse-only" starts one/,
    );
    expect(tell({ ...parsing, hasWorker: false })).toMatch(/^no-parser: .*"forager worker" or "forager up"/);
    expect(tell({ ...parsing, isEarly: true, retryCount: 1 })).toMatch(
      /^retry: .* No worker runs that parses/,
    );
    expect(tell({ status: 'queued_parse' })).toBe('parser: What was fetched is kept; it waits for a parser.');
    expect(tell({ status: 'downloaded', hasScheduler: false })).toMatch(/^no-scheduler: /);
  });

  test('for a parent that is over without having been completed: that it must be restarted', () => {
    const child = { status: 'pending', isWaiting: true, parentTaskId: 7 } as const;
    for (const parentStatus of ['failed', 'cancelled', 'expired'] as const) {
      expect(tell({ ...child, parentStatus })).toBe(
        `parent: It waits for task 7 to be completed, which is ${parentStatus}: "forager task restart 7" starts that one once more, "forager task set 9 --no-parent" lets this one go without it.`,
      );
    }
    expect(tell({ ...child, parentStatus: 'paused' })).toContain('"forager task resume 7"');
    expect(tell({ ...child, parentStatus: 'crawling' })).not.toContain('forager');
  });

  test('for a person: who resumes it, its batch, its domain', () => {
    expect(tell({ status: 'paused' })).toContain('"forager task resume 9"');
    expect(
      tell({ status: 'paused', reason: 'batch paused', isBatchPaused: true, batchId: 3, batchName: 'B' }),
    ).toContain('"forager batch resume 3"');
    expect(tell({ isActive: false })).toContain('"forager domain resume a.example"');
  });

  test('for its time or its retry while no scheduler runs: that nothing comes of it then', () => {
    const early = { status: 'pending', isEarly: true, hasScheduler: false } as const;
    for (const retryCount of [0, 2]) {
      expect(tell({ ...early, retryCount })).toMatch(
        /time has (?:not )?come\. No scheduler runs .*"forager scheduler"/,
      );
      expect(tell({ ...early, retryCount, hasScheduler: true })).not.toContain('scheduler');
      expect(tell({ ...early, retryCount, executor: 'bot' })).not.toContain('scheduler');
    }
  });
});

test('over HTTP the same is told as a request', () => {
  const parent = { status: 'pending', isWaiting: true, parentTaskId: 7, parentStatus: 'failed' } as const;
  expect(hintOverHttp(tell(parent))).toBe(
    'parent: It waits for task 7 to be completed, which is failed: POST /api/admin/tasks/7/restart starts that one once more, PATCH /api/admin/tasks/9 with parentTaskId null lets this one go without it.',
  );
  expect(hintOverHttp(tell({ isActive: false }))).toContain('POST /api/admin/domains/a.example/resume');
  expect(hintOverHttp(tell({ hasWorker: false }))).toContain('"forager worker"');
});
