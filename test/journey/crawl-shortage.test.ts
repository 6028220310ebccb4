/** A machine that runs out of sockets in the middle of a crawl: it costs time, and nobody is blamed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FetchResult } from '../../src/engine/fetch/fetch-result.ts';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { monotonicMs } from '../../src/platform/clock.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { expectConsistent, readDomainRow, readLog, readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

it.each([
  ['robots.txt and pages', 'both', true],
  ['pages alone', 'pages', false],
])(
  '%s that found no socket are asked for again, at no cost to URL or domain',
  async (_what, site, respectRobots) => {
    const host = `${site}.localhost`;
    origin.site(site, { pages: { '/': htmlPage('front', ['/a']), '/a': 'a page' } });
    const seed = `http://${host}:${origin.port}/`;
    const fetcher = createTestFetcher();
    const attempts = new Map<string, number>();
    const short: Fetcher = {
      fetch: async (request): Promise<FetchResult> => {
        const attempt = (attempts.get(request.url) ?? 0) + 1;
        attempts.set(request.url, attempt);
        // Once is more often than a URL may fail here.
        if (attempt > 1) return fetcher.fetch(request);
        const timing = { sentAtMs: monotonicMs(), headersAtMs: undefined, durationMs: 0 };
        return { kind: 'failure', reason: 'no-socket', message: 'EMFILE', status: undefined, timing };
      },
      close: () => fetcher.close(),
    };
    const { end, events } = await runTestCrawl({
      db: database.db,
      seeds: [seed],
      fetcher: short,
      settings: { maxRetries: 0, respectRobots },
    });
    await fetcher.close();
    expect([...attempts]).toEqual(
      [...(respectRobots ? [`${seed}robots.txt`] : []), seed, `${seed}a`].map((url) => [url, 2]),
    );
    expect(end.reason).toBe('complete');
    const urls = (await readUrlRows(database.db)).filter(({ url }) => url.startsWith(seed));
    expect(urls.map(({ state, error_count: errors }) => [state, errors])).toEqual([
      ['fetched', 0],
      ['fetched', 0],
    ]);
    const log = (await readLog(database.db)).filter(({ url }) => url.startsWith(seed));
    expect(log.map(({ outcome }) => outcome)).toEqual(['page', 'page']);
    expect(await readDomainRow(database.db, `${host}:${origin.port}`)).toMatchObject({ status: 'exhausted' });
    expect(events.filter(({ name }) => name === 'sockets:short')).toHaveLength(1);
    await expectConsistent(database.db);
  },
);
