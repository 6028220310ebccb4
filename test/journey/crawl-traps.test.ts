/** Sites without end, and sites that are not there: every crawl of them ends. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  facetExplosion,
  growingPath,
  infiniteCalendar,
  manyLinks,
  sessionLinks,
} from '../origin/behaviours/traps.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { html, htmlPage } from '../origin/site.ts';
import { expectConsistent, readDomainRow, readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl, stopAfterPages } from '../support/crawl-support.ts';
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

/** Deep enough that only the trap's own defence can end the crawl. */
const endlessly = { maxDepth: 5000, batchPages: 100, batchMs: 1 };

describe('traps', () => {
  it('an infinite calendar ends by the budget of its shape', async () => {
    origin.site('calendar', {
      pages: { '/': htmlPage('Home', ['/events/2024/1']), '/events/*': infiniteCalendar },
    });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('calendar', '/')],
      settings: endlessly,
    });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBeGreaterThan(100);
    expect(summary.pages).toBeLessThanOrEqual(402);
    expect(summary.skipped.trap).toBeGreaterThan(0);
    await expectConsistent(database.db);
  });

  it('the budget of a shape holds over stops: what was admitted before counts', async () => {
    origin.site('calendar2', {
      pages: { '/': htmlPage('Home', ['/events/2024/1']), '/events/*': infiniteCalendar },
    });
    const order = { db: database.db, seeds: [origin.hostUrl('calendar2', '/')], settings: endlessly };
    for (let round = 0; round < 3; round += 1) await runTestCrawl({ ...order, prepare: stopAfterPages(60) });
    const { end, summary } = await runTestCrawl(order);
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBeLessThanOrEqual(402);
    await expectConsistent(database.db);
  });

  it('links that carry ever new session ids lead to three pages, once each', async () => {
    origin.site('sessions', { pages: { '/': htmlPage('Home', ['/shop/start']), '/shop/*': sessionLinks() } });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('sessions', '/')],
      settings: endlessly,
    });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(5);
  });

  it('combining facets ends by the budget of each shape', async () => {
    origin.site('facets', {
      pages: {
        '/': htmlPage('Home', ['/list?a=0&b=0']),
        // Two free parameters, ever new values.
        '/list': html(({ url }) => {
          const a = Number(url.searchParams.get('a'));
          return htmlPage(
            `List ${a}`,
            [1, 2, 3, 4, 5].map((n) => `/list?a=${a * 5 + n}&b=${n}`),
          );
        }),
      },
    });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('facets', '/')],
      settings: endlessly,
    });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBeLessThanOrEqual(1002);
    expect(summary.skipped.trap).toBeGreaterThan(0);
    await expectConsistent(database.db);
  });

  it('facets that pile up in the query end too', async () => {
    origin.site('piling', { pages: { '/': htmlPage('Home', ['/f?colour=a']), '/f': facetExplosion } });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('piling', '/')],
      maxPages: 3000,
      settings: { ...endlessly, maxDepth: 3 },
    });
    expect(['complete', 'budget']).toContain(end.reason);
    expect(summary.pages).toBeLessThanOrEqual(3000);
  });

  it('paths that repeat themselves are not followed for ever', async () => {
    origin.site('growing', { pages: { '/*': growingPath } });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('growing', '/')],
      settings: endlessly,
    });
    expect(end.reason).toBe('complete');
    expect(summary.skipped.trap).toBeGreaterThan(0);
  });

  it('a page with a million links gives a thousand of them', async () => {
    origin.site('million', { pages: { '/': manyLinks(1_000_000) } });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('million', '/')],
      settings: { maxBodyBytes: 40_000_000, batchPages: 250 },
    });
    expect(end.reason).toBe('complete');
    expect(summary.outcomes).toMatchObject({ page: 1, gone: 1000 });
    await expectConsistent(database.db);
  });

  it('URLs and shapes longer than a database key are survived', async () => {
    const digest = (n: number): string => createHash('sha256').update(String(n)).digest('hex');
    const noise = Array.from({ length: 60 }, (_, n) => digest(n)).join('');
    // Twenty parameters with generated names: as long as a link may be before it counts as a trap.
    const names = Array.from({ length: 20 }, (_, n) => `${digest(n)}${digest(n + 99).slice(0, 30)}=1`);
    origin.site('long', {
      pages: { '/': htmlPage('Home', [`/${noise}`, `/f?${names.join('&')}`, '/ok']), '/*': htmlPage('Any') },
      robots: `User-agent: *\nSitemap: ${origin.hostUrl('long', `/${noise}.xml`)}\n`,
    });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('long', '/')],
      settings: { readSitemaps: true },
    });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBeGreaterThanOrEqual(3);
    await expectConsistent(database.db);
  });
});

describe('sites that are not there', () => {
  it('are unreachable, with the reason, beside one that is there, and the crawl ends', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    await new Promise((resolve) => server.close(resolve));
    origin.site('present', { pages: { '/': htmlPage('Here') } });
    const notTls = `https://plain.localhost:${origin.port}/`;
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [`http://absent.localhost:${port}/`, notTls, origin.hostUrl('present', '/')],
    });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(1);
    const absent = await readDomainRow(database.db, 'absent');
    expect(absent).toMatchObject({ status: 'unreachable', code: 'connect_refused', is_resting: true });
    expect(absent?.reason).toContain('refuses connections');
    expect(await readDomainRow(database.db, 'plain')).toMatchObject({
      status: 'unreachable',
      code: 'tls_failure',
    });
  });

  it('a site that goes away in the middle is tried again, then left with what there is', async () => {
    origin.site('leaving', {
      pages: {
        '/': htmlPage('Home', ['/1', '/2']),
        '/*': ({ response }) => void response.socket?.destroy(),
      },
      robots: '',
    });
    const { end, summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('leaving', '/')] });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(1);
    const rows = (await readUrlRows(database.db)).filter(({ url }) => url.includes('leaving.'));
    expect(rows.map(({ state, error_count }) => `${state} ${error_count}`).sort()).toEqual([
      'failed 2',
      'failed 2',
      'fetched 0',
    ]);
    expect((await readDomainRow(database.db, 'leaving'))?.status).toBe('exhausted');
  });
});
