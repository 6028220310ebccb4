/** Where redirects lead a crawl, and where they cannot. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { redirectChain, redirectTo } from '../origin/behaviours/redirects.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { expectConsistent, readDomainRows, readPageRows, readUrlRow } from '../support/crawl-rows.ts';
import { runTestCrawl, stopAfterPages } from '../support/crawl-support.ts';
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

describe('chains', () => {
  it('five redirects lead to the page, a sixth ends as too many', async () => {
    origin.site('chains', {
      pages: {
        '/': htmlPage('Home', ['/five/5', '/six/6']),
        '/five/*': redirectChain,
        '/six/*': redirectChain,
      },
    });
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('chains', '/')] });
    const titles = (await readPageRows(database.db)).map(({ title, url }) => [title, new URL(url).pathname]);
    expect(titles).toEqual([
      ['Home', '/'],
      ['End of the chain', '/five/0'],
    ]);
    expect(await readUrlRow(database.db, '/six/1')).toMatchObject({
      state: 'failed',
      last_outcome: 'redirect-loop',
    });
    expect(origin.requestsTo('chains', '/six/0')).toHaveLength(0);
  });

  it('two pages that redirect to each other are asked for once each', async () => {
    origin.site('pingpong', { pages: { '/a': redirectTo('/b'), '/b': redirectTo('/a') } });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('pingpong', '/a')] });
    expect(end.reason).toBe('complete');
    expect(origin.requestsTo('pingpong', '/a')).toHaveLength(1);
    expect(origin.requestsTo('pingpong', '/b')).toHaveLength(1);
  });

  it('a page that many URLs redirect to is fetched once', async () => {
    const links = Array.from({ length: 30 }, (_, n) => `/old/${n}`);
    origin.site('many', {
      pages: { '/': htmlPage('Home', links), '/old/*': redirectTo('/new'), '/new': htmlPage('New') },
    });
    const { summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('many', '/')] });
    expect(origin.requestsTo('many', '/new')).toHaveLength(1);
    expect(summary).toMatchObject({ pages: 2, outcomes: { redirect: 30, page: 2 } });
  });

  it('a URL redirected to another spelling of itself is stored once', async () => {
    origin.site('respelled', {
      pages: {
        '/': htmlPage('Home', ['/shoes?utm_source=mail&size=9']),
        '/shoes': ({ url, response }) => {
          if (url.searchParams.has('utm_source')) {
            response.writeHead(301, { location: '/shoes?size=9' }).end();
            return;
          }
          response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('Shoes'));
        },
      },
    });
    const { summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('respelled', '/')] });
    const rows = await readPageRows(database.db);
    expect(rows.map(({ title }) => title)).toEqual(['Home', 'Shoes']);
    expect(summary.pages).toBe(2);
    await expectConsistent(database.db);
  });

  it('a URL that goes round in its own spellings ends', async () => {
    origin.site('spinning', {
      pages: {
        '/': ({ url, response }) => {
          const next = url.searchParams.has('utm_source') ? '/' : '/?utm_source=again';
          response.writeHead(302, { location: next }).end();
        },
      },
    });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('spinning', '/')] });
    expect(end.reason).toBe('complete');
    expect(await readUrlRow(database.db, '/')).toMatchObject({ last_outcome: 'redirect-loop' });
    expect(origin.requestsTo('spinning').length).toBeLessThanOrEqual(8);
  });
});

describe('to other sites', () => {
  it('a seed that redirects to another domain is followed there, and that domain is in scope', async () => {
    origin.site('moved', { pages: { '/': redirectTo(origin.hostUrl('home', '/')) } });
    origin.site('home', goodSite({ pages: 30, linksPerPage: 5 }));
    const { end, summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('moved', '/')] });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(30);
  });

  it('a crawl of such a seed that was stopped goes on in the domain it had moved to', async () => {
    origin.site('moved2', { pages: { '/': redirectTo(origin.hostUrl('home2', '/')) } });
    origin.site('home2', goodSite({ pages: 80, linksPerPage: 5 }));
    const order = { db: database.db, seeds: [origin.hostUrl('moved2', '/')] };
    const first = await runTestCrawl({ ...order, prepare: stopAfterPages(10) });
    expect(first.end.reason).toBe('stopped');
    const second = await runTestCrawl(order);
    expect(second.end.reason).toBe('complete');
    expect(second.summary.pages).toBe(80);
    await expectConsistent(database.db);
  });

  it('a page that redirects to another domain does not widen the scope', async () => {
    origin.site('stays', {
      pages: { '/': htmlPage('Home', ['/out']), '/out': redirectTo(origin.hostUrl('elsewhere', '/')) },
    });
    origin.site('elsewhere', goodSite({ pages: 3, linksPerPage: 2 }));
    const { summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('stays', '/')] });
    expect(summary.pages).toBe(1);
    expect(summary.skipped.scope).toBe(1);
    expect(origin.requestsTo('elsewhere')).toHaveLength(0);
  });
});

describe('to private addresses', () => {
  /** The local web passes for a public one; for everything else the guard is the real one. */
  function makeGuardedFetcher(): Fetcher {
    const open = createTestFetcher();
    const guarded = createTestFetcher({ allowPrivate: false });
    return {
      fetch: (request) =>
        (new URL(request.url).hostname.endsWith('.localhost') ? open : guarded).fetch(request),
      close: async () => {
        await open.close();
        await guarded.close();
      },
    };
  }

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]:8081/',
    'http://2130706433/',
  ])('a redirect to %s is refused even where every site is in scope', async (target) => {
    origin.site('luring', {
      pages: {
        '/': htmlPage('Home', ['/lure', '/good']),
        '/lure': redirectTo(target),
        '/good': htmlPage('Good'),
      },
    });
    const fetcher = makeGuardedFetcher();
    const { end, summary } = await runTestCrawl({
      ...{ db: database.db, scope: 'any' as const, fetcher },
      seeds: [origin.hostUrl('luring', '/')],
    });
    await fetcher.close();
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(2);
    const refused = (await readDomainRows(database.db)).filter(({ domain }) => !domain.startsWith('luring'));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ code: 'private_address', pages_crawled: 0 });
  });

  it('the origin itself is refused where private addresses are not allowed, and nothing reaches it', async () => {
    origin.site('inside', { pages: { '/': htmlPage('Inside') } });
    const fetcher = createTestFetcher({ allowPrivate: false });
    const { end, summary } = await runTestCrawl({
      ...{ db: database.db, fetcher },
      seeds: [origin.hostUrl('inside', '/')],
    });
    await fetcher.close();
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(0);
    expect(summary.domains[0]).toMatchObject({ code: 'private_address' });
    expect(origin.requestsTo('inside')).toHaveLength(0);
  });
});
