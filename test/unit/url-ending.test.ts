import { describe, expect, it } from 'vitest';
import { urlEnding } from '../../src/engine/ingest/url-ending.ts';
import type { OutcomeKind } from '../../src/engine/outcome.ts';
import type { Visit } from '../../src/engine/visit.ts';
import { visitOf } from '../support/crawl-claims.ts';
import { testSettings } from '../support/crawl-support.ts';

const rules = (maxRetries: number) => ({ maxRetries, refresh: testSettings.refresh });
const lease = { domainId: 1, domain: 'a.example', parentDomain: 'a.example', version: 1 };

function visited(kind: OutcomeKind, errorCount = 0): Visit {
  const visit = visitOf(lease, Buffer.alloc(32));
  const outcome = { kind, httpStatus: undefined, message: undefined, holdMs: undefined };
  return { ...visit, outcome, due: { ...visit.due, errorCount }, page: undefined };
}

describe('urlEnding', () => {
  it('closes what is decided, and forgets earlier errors where it went well', () => {
    expect(urlEnding(visited('redirect', 2), rules(3))).toMatchObject({
      state: 'fetched',
      errorCount: 0,
      retryAt: undefined,
    });
    expect(urlEnding(visited('gone'), rules(3))).toMatchObject({
      state: 'failed',
      errorCount: 1,
      retryAt: undefined,
    });
    expect(urlEnding(visited('robots-denied'), rules(3))).toMatchObject({
      state: 'blocked',
      retryAt: undefined,
    });
  });

  it('tries again what may pass, later each time, and closes it when the retries are used up', () => {
    const first = visited('timeout', 0);
    const again = urlEnding(first, rules(2));
    expect(again).toMatchObject({ state: 'never_crawled', errorCount: 1 });
    const waitMs = (again.retryAt?.getTime() ?? 0) - first.fetchedAt.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(1000);
    expect(urlEnding(visited('timeout', 1), rules(2))).toMatchObject({
      state: 'never_crawled',
      errorCount: 2,
    });
    expect(urlEnding(visited('timeout', 2), rules(2))).toMatchObject({
      state: 'failed',
      errorCount: 3,
      retryAt: undefined,
    });
    expect(urlEnding(visited('timeout', 0), rules(0))).toMatchObject({ state: 'failed' });
  });

  it('charges a URL nothing for its domain being asked to slow down', () => {
    expect(urlEnding(visited('throttled', 3), rules(3))).toMatchObject({
      state: 'never_crawled',
      errorCount: 3,
      retryAt: undefined,
    });
  });
});
