/** What a site asks of crawlers, proved by what reached its server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withMetaRobots, withRobotsTag } from '../origin/behaviours/markup.ts';
import { redirectTo } from '../origin/behaviours/redirects.ts';
import { hugeRobots } from '../origin/behaviours/robots.ts';
import { status } from '../origin/behaviours/statuses.ts';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { expectConsistent, readDomainRow, readPageRows, readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl, stopAfterPages, temporaryDirectory } from '../support/crawl-support.ts';
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

const pages = {
  '/': htmlPage('Home', ['/open', '/private/1', '/private/2', '/private/allowed']),
  '/open': htmlPage('Open'),
  '/private/*': htmlPage('Private'),
};
const crawl = (site: string) => runTestCrawl({ db: database.db, seeds: [origin.hostUrl(site, '/')] });
const asked = (site: string) =>
  origin
    .requestsTo(site)
    .map(({ path }) => path)
    .sort();

describe('robots.txt', () => {
  it('is obeyed: what it disallows never reaches the server, and is counted', async () => {
    const robots = 'User-agent: *\nDisallow: /private/\nAllow: /private/allowed\n';
    origin.site('obeyed', { pages, robots });
    const { end, summary } = await crawl('obeyed');
    expect(end.reason).toBe('complete');
    expect(asked('obeyed')).toEqual(['/', '/open', '/private/allowed', '/robots.txt']);
    expect(summary.skipped.robots).toBe(2);
    const denied = (await readUrlRows(database.db)).filter(
      ({ last_outcome }) => last_outcome === 'robots-denied',
    );
    expect(denied.map(({ state }) => state)).toEqual(['blocked', 'blocked']);
    await expectConsistent(database.db);
  });

  it('is read for our own name before the group for everybody', async () => {
    origin.site('named', {
      pages,
      robots: 'User-agent: *\nDisallow: /\n\nUser-agent: foragerbot\nDisallow: /open\n',
    });
    await crawl('named');
    expect(asked('named')).toEqual(['/', '/private/1', '/private/2', '/private/allowed', '/robots.txt']);
  });

  it('that disallows everything leaves the domain blocked with the reason, without a single request', async () => {
    origin.site('shut', { pages, robots: 'User-agent: *\nDisallow: /\n' });
    const { end } = await crawl('shut');
    expect(end.reason).toBe('complete');
    expect(asked('shut')).toEqual(['/robots.txt']);
    expect(await readDomainRow(database.db, 'shut')).toMatchObject({
      status: 'blocked',
      code: 'robots_denied',
    });
  });

  it('404 allows everything', async () => {
    origin.site('free', { pages });
    expect((await crawl('free')).summary.pages).toBe(5);
  });

  it('5xx allows nothing: no page is fetched, the domain rests and the crawl ends as resting', async () => {
    origin.site('failing', { pages, robots: status(503) });
    const { end, summary } = await crawl('failing');
    expect(end.reason).toBe('resting');
    expect(end.restingUntil).toBeInstanceOf(Date);
    expect(summary.pages).toBe(0);
    expect(new Set(asked('failing'))).toEqual(new Set(['/robots.txt']));
    expect(await readDomainRow(database.db, 'failing')).toMatchObject({
      status: 'active',
      code: 'robots_unavailable',
      is_resting: true,
    });
    await expectConsistent(database.db);
  });

  it('of an origin that cannot be reached closes that origin, not the domain that links to it', async () => {
    const secure = origin.hostUrl('plain', '/secure').replace('http:', 'https:');
    const links = [secure, '/1', '/2', '/3'];
    origin.site('plain', { pages: { '/': htmlPage('Home', links), '/*': htmlPage('Page') } });
    const { end, summary } = await crawl('plain');
    expect(end.reason).toBe('complete');
    expect(asked('plain')).toEqual(['/', '/1', '/2', '/3', '/robots.txt']);
    expect(summary.skipped.robots).toBe(1);
    expect(await readDomainRow(database.db, 'plain')).toMatchObject({ status: 'exhausted' });
  });

  it('that is asked for too fast is asked for again when it said so', async () => {
    let times = 0;
    origin.site('eager', {
      pages,
      robots: (exchange) => {
        times += 1;
        return times === 1
          ? status(429, { 'retry-after': '1' })(exchange)
          : status(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /private/')(exchange);
      },
    });
    const { summary } = await crawl('eager');
    expect(summary.pages).toBe(2);
    const [first, second] = origin.requestsTo('eager', '/robots.txt');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(999);
  });

  it('is followed through redirects, and speaks for the site that was asked', async () => {
    origin.site('elsewhere', { pages, robots: redirectTo('/rules.txt') });
    origin.site('elsewhere', {
      pages: {
        ...pages,
        '/rules.txt': status(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /private'),
      },
      robots: redirectTo('/rules.txt'),
    });
    await crawl('elsewhere');
    expect(asked('elsewhere')).toEqual(['/', '/open', '/robots.txt', '/rules.txt']);
  });

  it('of any size is parsed up to the limit', async () => {
    origin.site('huge', {
      pages: {
        ...pages,
        '/': htmlPage('Home', ['/private/1', '/after-the-limit']),
        '/after-the-limit': htmlPage('After'),
      },
      robots: hugeRobots(1_000_000, 'User-agent: *\nDisallow: /private/'),
    });
    await crawl('huge');
    expect(asked('huge')).toEqual(['/', '/after-the-limit', '/robots.txt']);
  });

  it('is kept: a crawl that goes on does not ask for it again', async () => {
    origin.site('kept', {
      ...goodSite({ pages: 40, linksPerPage: 4 }),
      robots: 'User-agent: *\nDisallow: /page/39\n',
    });
    const order = { db: database.db, seeds: [origin.hostUrl('kept', '/')] };
    await runTestCrawl({ ...order, prepare: stopAfterPages(5) });
    const { summary } = await runTestCrawl(order);
    expect(summary).toMatchObject({ pages: 39, skipped: { robots: 1 } });
    expect(origin.requestsTo('kept', '/robots.txt')).toHaveLength(1);
    expect(origin.requestsTo('kept', '/page/39')).toHaveLength(0);
  });

  it('is ignored where we are told to', async () => {
    origin.site('ours', { pages, robots: 'User-agent: *\nDisallow: /\n' });
    const order = {
      db: database.db,
      seeds: [origin.hostUrl('ours', '/')],
      settings: { respectRobots: false },
    };
    expect((await runTestCrawl(order)).summary.pages).toBe(5);
    expect(origin.requestsTo('ours', '/robots.txt')).toHaveLength(0);
  });
});

describe('pacing', () => {
  const gapsMs = (site: string): number[] => {
    const times = origin.requestsTo(site).map(({ atMs }) => atMs);
    return times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  };

  it('a crawl-delay longer than ours is kept between any two requests', async () => {
    origin.site('slowly', {
      ...goodSite({ pages: 8, linksPerPage: 4 }),
      robots: 'User-agent: *\nCrawl-delay: 0.3\n',
    });
    await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('slowly', '/')],
      settings: { delayMs: 20 },
    });
    expect(gapsMs('slowly')).toHaveLength(8);
    expect(Math.min(...gapsMs('slowly'))).toBeGreaterThanOrEqual(300);
  });

  it('our delay is kept also when the site asks for less, and also before and after a stop', async () => {
    origin.site('steady', {
      ...goodSite({ pages: 12, linksPerPage: 4 }),
      robots: 'User-agent: *\nCrawl-delay: 0.1\n',
    });
    const order = { db: database.db, seeds: [origin.hostUrl('steady', '/')], settings: { delayMs: 250 } };
    await runTestCrawl({ ...order, prepare: stopAfterPages(4) });
    await runTestCrawl(order);
    expect(gapsMs('steady')).toHaveLength(12);
    expect(Math.min(...gapsMs('steady'))).toBeGreaterThanOrEqual(250);
  });

  it('sitemaps keep the delay too', async () => {
    origin.site('mapped', {
      ...goodSite({ pages: 4, linksPerPage: 4 }),
      robots: 'User-agent: *\nSitemap: /none.xml\n',
    });
    const settings = { delayMs: 200, readSitemaps: true };
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('mapped', '/')], settings });
    expect(asked('mapped')).toContain('/sitemap.xml');
    expect(Math.min(...gapsMs('mapped'))).toBeGreaterThanOrEqual(200);
  });

  it('a delay beyond the cap is cut to it, and that is told', async () => {
    origin.site('never', {
      ...goodSite({ pages: 3, linksPerPage: 2 }),
      robots: 'User-agent: *\nCrawl-delay: 86400\n',
    });
    const { end, events } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('never', '/')],
      settings: { maxCrawlDelayMs: 100 },
    });
    expect(end.reason).toBe('complete');
    expect(events.filter(({ name }) => name === 'robots:delay-capped')).toHaveLength(1);
  });

  it('one request at a time per connection limit: no more than asked for are open at once', async () => {
    let open = 0;
    let most = 0;
    const page = htmlPage(
      'x',
      Array.from({ length: 30 }, (_, n) => `/${n}`),
    );
    origin.site('counted', {
      pages: {
        '/*': async ({ response }) => {
          open += 1;
          most = Math.max(most, open);
          await new Promise((resolve) => setTimeout(resolve, 20));
          open -= 1;
          response.writeHead(200, { 'content-type': 'text/html' }).end(page);
        },
      },
    });
    await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('counted', '/')],
      settings: { maxConcurrentPerDomain: 3 },
    });
    expect(most).toBe(3);
  });
});

describe('directives in pages and headers', () => {
  it('nofollow in the page or for us in the header: the links are not followed', async () => {
    origin.site('nofollow', {
      pages: {
        '/': htmlPage('Home', ['/meta', '/header', '/for-others']),
        '/meta': withMetaRobots('nofollow'),
        '/header': withRobotsTag('noindex', 'ForagerBot: nofollow'),
        '/for-others': withRobotsTag('otherbot: none'),
        '/behind-meta-robots': htmlPage('Behind'),
        '/behind-robots-tag': htmlPage('Behind too'),
      },
    });
    const { summary } = await crawl('nofollow');
    expect(asked('nofollow')).toEqual([
      '/',
      '/behind-robots-tag',
      '/for-others',
      '/header',
      '/meta',
      '/robots.txt',
    ]);
    expect(summary.skipped['nofollow-page']).toBe(2);
    const flags = (await readPageRows(database.db))
      .filter(({ url }) => url.includes('nofollow.'))
      .map((row) => [new URL(row.url).pathname, row.is_noindex, row.is_nofollow]);
    expect(flags).toContainEqual(['/meta', false, true]);
    expect(flags).toContainEqual(['/header', true, true]);
    expect(flags).toContainEqual(['/for-others', false, false]);
  });

  it('a link marked nofollow is not followed, the same link without it is', async () => {
    origin.site('rel', {
      pages: {
        '/': '<a rel="nofollow" href="/a">a</a><a rel="ugc nofollow" href="/b">b</a><a href="/c">c</a>',
        '/c': htmlPage('C', ['/b']),
        '/a': htmlPage('A'),
        '/b': htmlPage('B'),
      },
    });
    const { summary } = await crawl('rel');
    expect(asked('rel')).toEqual(['/', '/b', '/c', '/robots.txt']);
    expect(summary.skipped.nofollow).toBe(2);
  });

  it('noarchive keeps no body, noindex is flagged and keeps it', async () => {
    origin.site('noarchive', {
      pages: {
        '/': htmlPage('Home', ['/noarchive', '/noindex']),
        '/noarchive': withMetaRobots('noarchive'),
        '/noindex': withMetaRobots('noindex'),
        '/behind-meta-robots': htmlPage('Behind'),
      },
    });
    await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('noarchive', '/')],
      warcDirectory: await temporaryDirectory(),
    });
    const rows = (await readPageRows(database.db)).filter(({ url }) => url.includes('noarchive.'));
    const facts = Object.fromEntries(
      rows.map((r) => [new URL(r.url).pathname, [r.segment !== null, r.is_noindex]]),
    );
    expect(facts).toEqual({
      '/': [true, false],
      '/behind-meta-robots': [true, false],
      '/noarchive': [false, false],
      '/noindex': [true, true],
    });
  });
});
