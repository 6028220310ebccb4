/** A refresh as a whole: begun by whom, interrupted, with sitemaps, with and without the flag; and how people see it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheable } from '../origin/behaviours/caching.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage } from '../origin/site.ts';
import { runTestCrawl, temporaryDirectory } from '../support/crawl-support.ts';
import { readState } from '../support/domain-history.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { advance, type Interval } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { readLastVisits } from '../support/refresh-rows.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

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

const FORTNIGHT: Interval = { days: 14, minutes: 10 };
const asked = (name: string): string[] =>
  origin
    .requestsTo(name)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt')
    .sort();

describe('a refresh that is stopped in the middle', () => {
  it('goes on as a refresh, from where it was, and asks for nothing twice', async () => {
    const links = Array.from({ length: 40 }, (_, n) => `/page/${n}`);
    const pages = { '/': htmlPage('Home', links), '/page/*': htmlPage('Page') };
    origin.site('long', { pages });
    await seedFleet(database.db, [origin.hostUrl('long', '/')]);
    await runTestFleet({ db: database.db });
    await advance(database, FORTNIGHT);
    origin.forgetRequests();
    const settings = { maxConcurrentPerDomain: 2, batchPages: 5 };
    const { end } = await runTestFleet({
      ...{ db: database.db, settings },
      prepare: (worker, events) => {
        let seen = 0;
        events.on('url:visited', () => {
          seen += 1;
          if (seen === 10) worker.stop();
        });
      },
    });
    expect(end).toBe('stopped');
    expect(await readState(database.db, 'long')).toMatchObject({
      ...{ status: 'active', isRefreshing: true, claimedBy: null },
    });
    const before = asked('long').length;
    expect(before).toBeLessThan(41);
    await runTestFleet({ db: database.db, settings });
    expect(asked('long')).toEqual(['/', ...links].sort());
    const visits = await readLastVisits(database.db, 'long');
    expect(visits).toHaveLength(41);
    expect(new Set(visits.map(({ type }) => type))).toEqual(new Set(['refresh']));
    expect(await readState(database.db, 'long')).toMatchObject({ status: 'exhausted', isRefreshing: false });
  });

  it('ends without reading more where refreshing is switched off meanwhile, and begins again with it', async () => {
    const work = (isOn: boolean, stopAfter?: number) =>
      runTestFleet({
        db: database.db,
        settings: {
          ...{ maxConcurrentPerDomain: 1, batchPages: 5 },
          refresh: {
            isOn,
            firstSeconds: 1_209_600,
            floorSeconds: 86_400,
            ceilingSeconds: 7_776_000,
            goneAfterMisses: 3,
          },
        },
        prepare: (worker, events) => {
          let seen = 0;
          events.on('url:visited', () => {
            seen += 1;
            if (seen === stopAfter) worker.stop();
          });
        },
      });
    await advance(database, { days: 22 });
    origin.forgetRequests();
    await work(true, 10);
    const before = asked('long').length;
    await work(false);
    expect(asked('long')).toHaveLength(before);
    const ended = { status: 'exhausted', isRefreshing: false, claimedBy: null, restHours: 24 };
    expect(await readState(database.db, 'long')).toMatchObject(ended);
    await advance(database, { days: 2 });
    await work(false);
    expect(asked('long')).toHaveLength(before);
    await work(true);
    expect(asked('long')).toEqual(['/', ...Array.from({ length: 40 }, (_, n) => `/page/${n}`)].sort());
  });
});

describe('the sitemaps of a site', () => {
  const listing =
    (...paths: string[]): Handler =>
    ({ response }) => {
      const urls = paths.map((path) => `<url><loc>${origin.hostUrl('listed', path)}</loc></url>`).join('');
      response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${urls}</urlset>`);
    };
  const page = cacheable(htmlPage('Page'), { etag: '"page"' });

  it('are read again with its pages, also one that was not there before', async () => {
    const settings = { readSitemaps: true };
    await database.execute('update domains set is_active = false');
    const pages = { '/': page, '/a': page, '/b': page, '/c': page };
    const robots = `Sitemap: ${origin.hostUrl('listed', '/late.xml')}\n`;
    origin.site('listed', { robots, pages: { ...pages, '/sitemap.xml': listing('/a') } });
    await seedFleet(database.db, [origin.hostUrl('listed', '/')]);
    await runTestFleet({ db: database.db, settings });
    expect(asked('listed')).toEqual(['/', '/a', '/late.xml', '/sitemap.xml']);
    origin.site('listed', {
      robots,
      pages: { ...pages, '/sitemap.xml': listing('/a', '/b'), '/late.xml': listing('/c') },
    });
    await advance(database, FORTNIGHT);
    origin.forgetRequests();
    await runTestFleet({ db: database.db, settings });
    expect(asked('listed')).toEqual(['/', '/a', '/b', '/c', '/late.xml', '/sitemap.xml']);
    const visits = await readLastVisits(database.db, 'listed');
    expect(visits.map(({ path, outcome, type }) => [path, outcome, type])).toEqual([
      ['/', 'not-modified', 'refresh'],
      ['/a', 'not-modified', 'refresh'],
      ['/b', 'page', 'discovery'],
      ['/c', 'page', 'discovery'],
    ]);
  });
});

describe('a crawl over several domains', () => {
  it('comes back to all of them, also where nothing leads there any more that was read', async () => {
    const front = cacheable(htmlPage('Front', [origin.hostUrl('annex', '/')]), { etag: '"front"' });
    origin.site('front', { pages: { '/': front } });
    origin.site('annex', { pages: { '/': htmlPage('Annex', ['/inner']), '/inner': htmlPage('Inner') } });
    const order = { db: database.db, seeds: [origin.hostUrl('front', '/')], scope: 'any' as const };
    await runTestCrawl(order);
    expect(asked('annex')).toEqual(['/', '/inner']);
    await advance(database, FORTNIGHT);
    origin.forgetRequests();
    const { end, summary } = await runTestCrawl(order);
    expect(end).toMatchObject({ reason: 'complete', isResumed: false });
    expect(summary.refreshed).toEqual({ unchanged: 3 });
    expect(asked('annex')).toEqual(['/', '/inner']);
    expect(await readState(database.db, 'annex')).toMatchObject({ status: 'exhausted', runId: 0 });
  });

  it('of other seeds, or with another scope, has nothing to do with them', async () => {
    await advance(database, { days: 30 });
    origin.forgetRequests();
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('front', '/')], scope: 'host' });
    expect(asked('front')).toEqual(['/']);
    expect(asked('annex')).toEqual([]);
  });
});

describe('the same crawl by the same command', () => {
  const home = cacheable(htmlPage('Home', ['/news', '/leaving']), { etag: '"home"' });
  let dataDir: string;
  const forager = (args: readonly string[], env: Record<string, string> = {}): Promise<CliRun> =>
    runForager([...args, '--data-dir', dataDir], { env: { DATABASE_URL: database.url, ...env } });
  const crawl = async (env: Record<string, string> = {}, ...args: string[]): Promise<CliRun> => {
    dataDir = await temporaryDirectory();
    const speed = ['--delay', '0', '--allow-private', '--no-sitemaps', '--no-bodies'];
    return forager(['crawl', origin.hostUrl('daily', '/'), ...speed, ...args], env);
  };
  const visits = async () =>
    (await readLastVisits(database.db, 'daily')).map(({ path, outcome, type }) => [path, outcome, type]);

  it('asks for nothing before a fortnight has passed, and reads everything again after it', async () => {
    const site = { '/': home, '/news': htmlPage('Old news'), '/leaving': htmlPage('Leaving') };
    origin.site('daily', { pages: site });
    const [first] = (await crawl({}, '--json')).json();
    expect(first).toMatchObject({ pages: 3, reason: 'complete', refreshed: {} });
    await advance(database, { days: 13 });
    const [second] = (await crawl({}, '--json')).json();
    expect(second).toMatchObject({ pages: 0, fetches: 0, reason: 'complete', isResumed: false });
    const { '/leaving': _leaving, ...rest } = site;
    origin.site('daily', { pages: { ...rest, '/news': htmlPage('New news') } });
    await advance(database, { days: 1, minutes: 10 });
    const third = await crawl({}, '--json');
    expect(third.json()[0]).toMatchObject({
      ...{ pages: 1, fetches: 3, reason: 'complete' },
      refreshed: { unchanged: 1, changed: 1, missing: 1 },
    });
    expect(await visits()).toEqual([
      ['/', 'not-modified', 'refresh'],
      ['/leaving', 'gone', 'refresh'],
      ['/news', 'page', 'refresh'],
    ]);
  });

  it('asks for nothing where refreshing is switched off, however long it is', async () => {
    await advance(database, { days: 1, minutes: 10 });
    const [off] = (await crawl({ ENABLE_REFRESH_MODE: 'false' }, '--json')).json();
    expect(off).toMatchObject({ fetches: 0, reason: 'complete' });
    expect(await visits()).toEqual([]);
  });

  it('tells in its summary what was found of known pages', async () => {
    const { stdout } = await crawl();
    expect(stdout).toMatch(/Known pages read again\n\s+1 {2}unchanged\n\s+1 {2}missing for now/);
    await advance(database, { days: 1, minutes: 10 });
    expect((await crawl()).stdout).toMatch(/1 {2}gone\n/);
  });

  it('leaves pages of which people see when they changed, and since when they are missing or gone', async () => {
    const domain = `daily.localhost:${origin.port}`;
    const list = (await forager(['page', 'list', '--domain', domain])).stdout;
    expect(list).toMatch(/\n\s*\d+\s+gone\s.*Leaving.*\/leaving\n/);
    const rows = (await forager(['page', 'list', '--domain', domain, '--json'])).json();
    const byTitle = new Map(rows.map((row) => [row.title, row]));
    const isDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const unmarked = { changedAt: null, missingSince: null, goneAt: null };
    expect(byTitle.get('Home')).toMatchObject(unmarked);
    expect(byTitle.get('New news')).toMatchObject({ ...unmarked, changedAt: isDate });
    expect(byTitle.get('Leaving')).toMatchObject({ changedAt: null, missingSince: isDate, goneAt: isDate });
    const gone = (await forager(['page', 'list', '--domain', domain, '--json', '--gone'])).json();
    expect(gone.map(({ title }) => title)).toEqual(['Leaving']);
    const left = (await forager(['page', 'list', '--domain', domain, '--json', '--no-gone'])).json();
    expect(left.map(({ title }) => title).sort()).toEqual(['Home', 'New news']);
    const shown = (await forager(['page', 'show', origin.hostUrl('daily', '/leaving')])).stdout;
    expect(shown).toMatch(/missing since +\d{4}-.* UTC\n/);
    expect(shown).toMatch(/gone since +\d{4}-.* UTC\n/);
    expect((await forager(['page', 'show', origin.hostUrl('daily', '/')])).stdout).not.toMatch(
      /gone|missing/,
    );
    const news = (await forager(['page', 'show', origin.hostUrl('daily', '/news')])).stdout;
    expect(news).toMatch(/changed +\d{4}-/);
    const exported = (await forager(['export', 'pages', '--domain', domain])).json();
    expect(exported.find(({ title }) => title === 'Leaving')).toMatchObject({ goneAt: isDate });
    const without = (await forager(['export', 'pages', '--domain', domain, '--no-gone'])).json();
    expect(without).toHaveLength(2);
    const csv = (await forager(['export', 'pages', '--domain', domain, '--format', 'csv'])).stdout;
    expect(csv.split(/\r?\n/)[0]).toMatch(/changedAt,missingSince,goneAt$/);
  });
});
