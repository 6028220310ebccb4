/** Pages that no link leads to, found through sitemaps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redirectTo } from '../origin/behaviours/redirects.ts';
import { gzippedSitemap, sitemap, sitemapIndex, sitemapXml } from '../origin/behaviours/sitemaps.ts';
import { status } from '../origin/behaviours/statuses.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage } from '../origin/site.ts';
import { expectConsistent, pathOf, readPageRows } from '../support/crawl-rows.ts';
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

const settings = { readSitemaps: true };
const listed = (site: string, name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => origin.hostUrl(site, `/${name}/${n}`));
const pagePaths = async (site: string): Promise<string[]> =>
  (await readPageRows(database.db))
    .filter(({ url }) => url.includes(`//${site}.`))
    .map(({ url }) => pathOf(url));

describe('sitemaps', () => {
  it('an index, a plain and a gzipped sitemap give pages no link leads to', async () => {
    origin.site('listed', {
      pages: {
        '/': htmlPage('Home'),
        '/plain/*': htmlPage('Plain'),
        '/packed/*': htmlPage('Packed'),
        '/maps/index.xml': sitemapIndex([
          origin.hostUrl('listed', '/maps/a.xml'),
          origin.hostUrl('listed', '/maps/b.xml.gz'),
        ]),
        '/maps/a.xml': sitemap(listed('listed', 'plain', 20)),
        '/maps/b.xml.gz': gzippedSitemap(listed('listed', 'packed', 20)),
      },
      robots: `Sitemap: ${origin.hostUrl('listed', '/maps/index.xml')}\n`,
    });
    const { end, events } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('listed', '/')],
      settings,
    });
    expect(end.reason).toBe('complete');
    expect(await pagePaths('listed')).toHaveLength(41);
    const read = events.flatMap(({ name, event }) => (name === 'sitemap:read' ? [pathOf(event.url)] : []));
    expect(read.sort()).toEqual(['/maps/a.xml', '/maps/b.xml.gz', '/maps/index.xml', '/sitemap.xml']);
    await expectConsistent(database.db);
  });

  it('a stranger is not asked for sitemaps: named by robots.txt, listed in an index or reached by redirect', async () => {
    const strange = (path: string): string => origin.hostUrl('stranger', path);
    origin.site('stranger', { pages: { '/*': sitemap([]) } });
    origin.site('pointing', {
      pages: {
        '/': htmlPage('Home'),
        '/index.xml': sitemapIndex([strange('/listed.xml'), origin.hostUrl('pointing', '/own.xml')]),
        '/own.xml': sitemap(listed('pointing', 'p', 2)),
        '/p/*': htmlPage('Listed'),
        '/away.xml': redirectTo(strange('/redirected.xml')),
      },
      robots: ['/index.xml', '/away.xml']
        .map((path) => `Sitemap: ${origin.hostUrl('pointing', path)}\n`)
        .concat(`Sitemap: ${strange('/named.xml')}\n`)
        .join(''),
    });
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('pointing', '/')], settings });
    expect(await pagePaths('pointing')).toHaveLength(3);
    expect(origin.requestsTo('pointing', '/away.xml')).toHaveLength(1);
    expect(origin.requestsTo('stranger')).toEqual([]);
  });

  it('the well-known place is looked at without being named', async () => {
    origin.site('wellknown', {
      pages: {
        '/': htmlPage('Home'),
        '/p/*': htmlPage('P'),
        '/sitemap.xml': sitemap(listed('wellknown', 'p', 5)),
      },
    });
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('wellknown', '/')], settings });
    expect(await pagePaths('wellknown')).toHaveLength(6);
  });

  it('the well-known place is looked at also where robots.txt is not asked', async () => {
    origin.site('unasked', {
      pages: {
        '/': htmlPage('Home'),
        '/sitemap.xml': sitemap(listed('unasked', 'p', 3)),
        '/p/*': htmlPage('Listed'),
      },
      robots: 'User-agent: *\nDisallow: /\n',
    });
    await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('unasked', '/')],
      settings: { ...settings, respectRobots: false },
    });
    expect(await pagePaths('unasked')).toHaveLength(4);
    expect(origin.requestsTo('unasked', '/robots.txt')).toEqual([]);
  });

  it('what a sitemap lists passes scope, filters and robots like any link', async () => {
    origin.site('bounded', {
      pages: {
        '/': htmlPage('Home'),
        '/p/*': htmlPage('P'),
        '/no/*': htmlPage('No'),
        '/sitemap.xml': sitemap([
          ...listed('bounded', 'p', 3),
          ...listed('bounded', 'no', 3),
          ...listed('bounded', 'out', 2),
          origin.hostUrl('listed', '/'),
        ]),
      },
      robots: 'User-agent: *\nDisallow: /no/\n',
    });
    const { summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('bounded', '/')],
      exclude: [/\/out\//],
      settings,
    });
    expect(await pagePaths('bounded')).toEqual(['/', '/p/0', '/p/1', '/p/2']);
    expect(summary.skipped).toMatchObject({ robots: 3, exclude: 2, scope: 1 });
  });

  it('indexes that list each other are each read once', async () => {
    const maps = ['/i/0.xml', '/i/1.xml', '/i/2.xml'];
    const index = sitemapIndex(maps.map((path) => origin.hostUrl('circle', path)));
    origin.site('circle', {
      pages: { '/': htmlPage('Home'), '/i/*': index },
      robots: `Sitemap: ${origin.hostUrl('circle', '/i/0.xml')}\n`,
    });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('circle', '/')], settings });
    expect(end.reason).toBe('complete');
    for (const path of maps) expect(origin.requestsTo('circle', path)).toHaveLength(1);
  });

  it('a sitemap whose reading was interrupted is read again by the next crawl, which finds every page', async () => {
    let isStuck = true;
    const stuck: Handler = (exchange) => {
      if (!isStuck) return sitemap(listed('cut', 'p', 30))(exchange);
      // The head of the file, and never the rest.
      exchange.response.writeHead(200, { 'content-type': 'application/xml' });
      exchange.response.write(sitemapXml(listed('cut', 'p', 30)).slice(0, 400));
    };
    origin.site('cut', { pages: { '/': htmlPage('Home'), '/p/*': htmlPage('P'), '/sitemap.xml': stuck } });
    const order = { db: database.db, seeds: [origin.hostUrl('cut', '/')], settings };
    const fetcher = createTestFetcher();
    const first = await runTestCrawl({
      ...order,
      fetcher,
      prepare: (crawl) => {
        void origin
          .waitForRequest(({ site, path }) => site === 'cut' && path === '/sitemap.xml')
          .then(async () => {
            crawl.stop();
            await fetcher.close();
          });
      },
    });
    expect(first.end.reason).toBe('stopped');
    isStuck = false;
    const second = await runTestCrawl(order);
    expect(second.end.reason).toBe('complete');
    expect(await pagePaths('cut')).toHaveLength(31);
    await expectConsistent(database.db);
  });

  it('a missing, broken or lying sitemap costs nothing but itself', async () => {
    origin.site('lying', {
      pages: {
        '/': htmlPage('Home', ['/page']),
        '/page': htmlPage('Page'),
        '/html.xml': htmlPage('Not found, says the page'),
        '/broken.xml': sitemapXml(listed('lying', 'p', 3)).slice(0, -30),
        '/gone.xml': status(410),
      },
      robots: ['html', 'broken', 'gone'].map((name) => `Sitemap: /${name}.xml\n`).join(''),
    });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('lying', '/')], settings });
    expect(end.reason).toBe('complete');
    expect(await pagePaths('lying')).toEqual(expect.arrayContaining(['/', '/page']));
  });
});
