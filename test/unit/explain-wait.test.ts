import { describe, expect, test } from 'vitest';
import { hintOverHttp } from '../../src/api/http-hints.ts';
import { explainWait, type WaitFacts } from '../../src/control/tasks/explain-wait.ts';

const FACTS: WaitFacts = {
  ...{ id: 9, status: 'queued', scheduledAt: new Date(0), isEarly: false, retryCount: 0 },
  ...{ reason: null, movedBy: 'cli:anna', executor: 'forager', isWaiting: false },
  ...{ parentTaskId: null, parentStatus: null, batchId: null, batchName: null, isBatchPaused: false },
  ...{ domain: 'a.example', isActive: true, domainStatus: 'pending', blockReason: null, restsUntil: null },
  ...{ maintenanceUntil: null, claimedBy: null, isInCrawl: false, isCrawlRunning: null, aheadCount: 0 },
  ...{ hasScheduler: true, hasWorker: true, hasParser: true, isWithoutProxy: false },
  ...{ lockedCount: 0, mostLocked: 5, botsCount: 1, hasBot: true },
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

describe('a job for bots says what it waits for', () => {
  const job = { status: 'pending', executor: 'bot', hasWorker: false, hasScheduler: false } as const;
  const until = new Date(1000);

  test('a bot: whether any is registered, has asked lately, or has taken as many as may be', () => {
    expect(tell(job)).toBe('bot: It waits for a bot to pull it.');
    expect(tell({ ...job, hasBot: false })).toBe(
      'bot: It waits for a bot to pull it: none that may work on a.example has asked for work in the last ten minutes.',
    );
    expect(tell({ ...job, hasBot: false, botsCount: 0 })).toMatch(/^no-bot: .*"forager bot add"/);
    expect(tell({ ...job, lockedCount: 5 })).toMatch(/^bot-locks: .* as may be at once \(5\)/);
    expect(tell({ ...job, lockedCount: 4 })).toMatch(/^bot: /);
  });

  test('its domain: switched off, in its maintenance window, or asked for rest', () => {
    expect(tell({ ...job, isActive: false })).toMatch(/^domain-inactive: .*"forager domain resume/);
    expect(explainWait({ ...FACTS, ...job, maintenanceUntil: until })).toMatchObject({
      ...{ code: 'domain-maintenance', until },
    });
    const rest = { restsUntil: until, blockReason: 'status 429' };
    expect(tell({ ...job, ...rest })).toBe('domain-resting: a.example rests (status 429).');
  });

  test('not its domain where only our own crawler is kept out of it', () => {
    const rest = { restsUntil: until, blockReason: 'x' };
    for (const domainStatus of ['blocked', 'unreachable', 'exhausted'] as const) {
      expect(tell({ ...job, ...rest, domainStatus })).toMatch(/^bot: /);
    }
    expect(tell({ ...job, ...rest, isWithoutProxy: true })).toMatch(/^bot: /);
    expect(tell({ ...job, claimedBy: 'w1', isInCrawl: true })).toMatch(/^bot: /);
  });
});

test('a domain without a proxy says so, and when it looks again', () => {
  const until = new Date(1000);
  const facts = { restsUntil: until, isWithoutProxy: true, blockReason: 'all 3 of its pool are out' };
  expect(explainWait({ ...FACTS, ...facts })).toEqual({
    ...{ code: 'domain-no-proxy', until },
    sentence:
      'a.example waits for a proxy (all 3 of its pool are out); whether there is one is looked at again then, or as soon as somebody adds, assigns or enables one. "forager proxy pool a.example" shows its proxies.',
  });
  expect(hintOverHttp(tell(facts))).toContain('GET /api/admin/domains/a.example/proxies shows its proxies');
  expect(tell({ ...facts, claimedBy: 'w1' })).toMatch(/^worker: /);
  expect(tell({ ...facts, restsUntil: null })).toMatch(/^worker: /);
});

test('over HTTP the same is told as a request', () => {
  const parent = { status: 'pending', isWaiting: true, parentTaskId: 7, parentStatus: 'failed' } as const;
  expect(hintOverHttp(tell(parent))).toBe(
    'parent: It waits for task 7 to be completed, which is failed: POST /api/admin/tasks/7/restart starts that one once more, PATCH /api/admin/tasks/9 with parentTaskId null lets this one go without it.',
  );
  expect(hintOverHttp(tell({ isActive: false }))).toContain('POST /api/admin/domains/a.example/resume');
  expect(hintOverHttp(tell({ hasWorker: false }))).toContain('"forager worker"');
});
