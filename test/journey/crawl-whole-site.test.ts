/** A well-behaved site, crawled to the end: everything once, and again nothing. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gzipped } from '../origin/behaviours/encodings.ts';
import { redirectTo } from '../origin/behaviours/redirects.ts';
import { status } from '../origin/behaviours/statuses.ts';
import { goodSite, goodSitePath } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage, type SitePages } from '../origin/site.ts';
import { expectConsistent, pathOf, readBodies, readPagePaths, readPageRows } from '../support/crawl-rows.ts';
import { runTestCrawl, stopAfterPages, temporaryDirectory } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

const allPaths = (pages: number): string[] => Array.from({ length: pages }, (_, n) => goodSitePath(n)).sort();
const askedFor = (site: string): string[] =>
  origin
    .requestsTo(site)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt')
    .sort();

describe('a site of 300 pages', () => {
  it('is crawled completely, and every page is asked for exactly once', async () => {
    origin.site('good', goodSite({ pages: 300, linksPerPage: 20 }));
    const { end, summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('good', '/')] });
    expect(end).toMatchObject({ reason: 'complete', isResumed: false });
    expect(summary).toMatchObject({ pages: 300, fetches: 300, errors: 0, statusCodes: { 200: 300 } });
    expect(askedFor('good')).toEqual(allPaths(300));
    expect(await readPagePaths(database.db)).toEqual(allPaths(300));
    expect(origin.requestsTo('good', '/robots.txt')).toHaveLength(1);
    await expectConsistent(database.db);
  });

  it('does nothing when it is crawled again after it was completed', async () => {
    origin.site('again', goodSite({ pages: 30, linksPerPage: 5 }));
    const order = { db: database.db, seeds: [origin.hostUrl('again', '/')] };
    await runTestCrawl(order);
    origin.forgetRequests();
    const { end, summary } = await runTestCrawl(order);
    expect(end.reason).toBe('complete');
    expect(summary.fetches).toBe(0);
    expect(origin.requests).toHaveLength(0);
    await expectConsistent(database.db);
  });

  it('gives exactly the remaining pages when it was stopped and is run again', async () => {
    origin.site('stopped', goodSite({ pages: 300, linksPerPage: 20 }));
    const order = { db: database.db, seeds: [origin.hostUrl('stopped', '/')] };
    const first = await runTestCrawl({ ...order, prepare: stopAfterPages(120) });
    expect(first.end.reason).toBe('stopped');
    expect(first.summary.pages).toBeGreaterThanOrEqual(120);
    expect(first.summary.pages).toBeLessThan(300);
    await expectConsistent(database.db);
    const second = await runTestCrawl(order);
    expect(second.end).toMatchObject({ reason: 'complete', isResumed: true, runId: first.end.runId });
    expect(askedFor('stopped')).toEqual(allPaths(300));
    expect(await readPagePaths(database.db)).toEqual(allPaths(300));
    await expectConsistent(database.db);
  });

  it('gives every page once however often it is stopped', async () => {
    origin.site('halting', goodSite({ pages: 200, linksPerPage: 10 }));
    const order = { db: database.db, seeds: [origin.hostUrl('halting', '/')] };
    let rounds = 0;
    for (;;) {
      const { end } = await runTestCrawl({ ...order, prepare: stopAfterPages(7) });
      await expectConsistent(database.db);
      rounds += 1;
      if (end.reason === 'complete') break;
    }
    expect(rounds).toBeGreaterThan(3);
    expect(askedFor('halting')).toEqual(allPaths(200));
  });
});

describe('limits', () => {
  it('--max-pages 500 of 1000 means 500 rows, with errors and redirects in between', async () => {
    const site = goodSite({ pages: 1000, linksPerPage: 20 });
    const links = Array.from({ length: 40 }, (_, n) => [
      `/missing/${n}`,
      `/moved/${n}`,
      goodSitePath(n * 20),
    ]);
    origin.site('limited', {
      pages: {
        ...site.pages,
        '/start': htmlPage('Start', links.flat()),
        '/moved/*': (exchange) =>
          redirectTo(`/page/${500 + Number(exchange.url.pathname.slice(7))}`)(exchange),
        '/missing/*': status(404),
      },
    });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('limited', '/start')],
      maxPages: 500,
    });
    expect(end.reason).toBe('budget');
    expect(summary.pages).toBe(500);
    expect(await readPageRows(database.db)).toHaveLength(500);
    expect(summary.outcomes).toMatchObject({
      page: 500,
      gone: expect.any(Number),
      redirect: expect.any(Number),
    });
    await expectConsistent(database.db);
  });

  it('raising --max-pages goes on where the smaller limit ended, and the same limit again does nothing', async () => {
    origin.site('raised', goodSite({ pages: 120, linksPerPage: 10 }));
    const order = { db: database.db, seeds: [origin.hostUrl('raised', '/')] };
    expect((await runTestCrawl({ ...order, maxPages: 40 })).summary.pages).toBe(40);
    const asked = origin.requests.length;
    const same = await runTestCrawl({ ...order, maxPages: 40 });
    expect(same.end).toMatchObject({ reason: 'budget', isResumed: true });
    expect(origin.requests).toHaveLength(asked);
    expect((await runTestCrawl({ ...order, maxPages: 90 })).summary.pages).toBe(90);
    const rest = await runTestCrawl(order);
    expect(rest.end.reason).toBe('complete');
    expect(await readPagePaths(database.db)).toEqual(allPaths(120));
    expect(askedFor('raised')).toEqual(allPaths(120));
    await expectConsistent(database.db);
  });

  it('--max-depth 2 fetches what is two links from the seed and nothing deeper', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [n === 0 ? '/' : `/${n}`, htmlPage(`Step ${n}`, [`/${n + 1}`])]),
    );
    origin.site('deep', { pages: chain });
    const { summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('deep', '/')],
      settings: { maxDepth: 2 },
    });
    expect(askedFor('deep')).toEqual(['/', '/1', '/2']);
    expect(summary.skipped).toMatchObject({ depth: 1 });
  });

  it('a page that is too deep along one way is still fetched along a shorter one', async () => {
    origin.site('ways', {
      pages: {
        '/': htmlPage('Home', ['/long', '/short']),
        '/long': htmlPage('Long', ['/long/2']),
        '/long/2': htmlPage('Longer', ['/target']),
        '/short': htmlPage('Short', ['/short/2']),
        '/short/2': htmlPage('Shorter', []),
        '/late': htmlPage('Late', ['/target']),
        '/target': htmlPage('Target', []),
      },
    });
    await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('ways', '/'), origin.hostUrl('ways', '/late')],
      settings: { maxDepth: 2 },
    });
    expect(await readPagePaths(database.db)).toContain('/target');
  });

  it('the budget per domain holds for each domain by itself', async () => {
    for (const name of ['budget-a', 'budget-b']) origin.site(name, goodSite({ pages: 60, linksPerPage: 8 }));
    origin.site('budget-c', goodSite({ pages: 5, linksPerPage: 3 }));
    const names = ['budget-a', 'budget-b', 'budget-c'];
    const crawl = async (maxPagesPerDomain: number) => {
      const seeds = names.map((name) => origin.hostUrl(name, '/'));
      const { end, summary } = await runTestCrawl({ db: database.db, seeds, maxPagesPerDomain });
      const pages = Object.fromEntries(summary.domains.map((d) => [d.domain.split('.')[0], d.pages]));
      return { reason: end.reason, pages };
    };
    const limited = { reason: 'budget', pages: { 'budget-a': 20, 'budget-b': 20, 'budget-c': 5 } };
    expect(await crawl(20)).toEqual(limited);
    // The same limit again finds it reached; a larger one goes on.
    expect(await crawl(20)).toEqual(limited);
    expect(await crawl(100)).toEqual({
      reason: 'complete',
      pages: { 'budget-a': 60, 'budget-b': 60, 'budget-c': 5 },
    });
    await expectConsistent(database.db);
  });
});

describe('bodies', () => {
  it('every page comes back from the archive byte for byte as it was served', async () => {
    const site = goodSite({ pages: 60, linksPerPage: 8, textBytes: 3000 });
    const zipped = htmlPage('Zipped', [], 'packed for the journey '.repeat(200));
    const pages: SitePages = {
      ...site.pages,
      '/page/59': gzipped(zipped),
      '/page/58': String(site.pages['/page/57']),
    };
    origin.site('kept', { pages });
    const warcDirectory = await temporaryDirectory();
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('kept', '/')], warcDirectory });
    const bodies = await readBodies(database.db, warcDirectory);
    expect(bodies.size).toBe(60);
    for (const [url, body] of bodies) {
      const served = pages[pathOf(url)];
      // As received: the packed page is kept packed.
      const expected = typeof served === 'string' ? Buffer.from(served) : gzipSync(zipped);
      expect(body.equals(expected), url).toBe(true);
    }
  });

  it('without an archive the rows are there and name no body', async () => {
    origin.site('bare', goodSite({ pages: 5, linksPerPage: 3 }));
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('bare', '/')] });
    const rows = await readPageRows(database.db);
    expect(rows.map((row) => row.segment)).toEqual([null, null, null, null, null]);
  });
});
