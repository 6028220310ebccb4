/** Known pages read again when their time has come: what is asked, what it costs, what is written down. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheable } from '../origin/behaviours/caching.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage, type SitePages } from '../origin/site.ts';
import { readState } from '../support/domain-history.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { advance, type Interval } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { readLastVisits, readPageReadings, readUrlReadings } from '../support/refresh-rows.ts';

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
const work = () => runTestFleet({ db: database.db, settings: { maxHoldMs: 0, maxRetries: 0 } });
const later = async (interval: Interval): Promise<void> => {
  await advance(database, interval);
  origin.forgetRequests();
  await work();
};
/** A site that is crawled now, and the only one of the standing order from here on. */
async function begin(name: string, pages: SitePages, robots?: string): Promise<void> {
  await database.execute('update domains set is_active = false');
  origin.site(name, robots === undefined ? { pages } : { pages, robots });
  await seedFleet(database.db, [origin.hostUrl(name, '/')]);
  await work();
}
const asked = (name: string): string[] =>
  origin
    .requestsTo(name)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt')
    .sort();

describe('a site read again after a fortnight', () => {
  const LAST_MODIFIED = 'Sun, 15 Nov 2026 07:00:00 GMT';
  const home = cacheable(htmlPage('Home', ['/dated', '/plain', '/news']), { etag: '"home"' });
  const dated = cacheable(htmlPage('Dated'), { lastModified: LAST_MODIFIED });
  const before = { '/': home, '/dated': dated, '/plain': htmlPage('Plain'), '/news': htmlPage('Old news') };

  it('is not asked for anything before', async () => {
    await begin('paper', before);
    expect(asked('paper')).toEqual(['/', '/dated', '/news', '/plain']);
    expect(await readState(database.db, 'paper')).toMatchObject({ status: 'exhausted', restHours: 336 });
    await later({ days: 13, hours: 23 });
    expect(origin.requestsTo('paper')).toEqual([]);
  });

  it('is asked whether its pages have changed; those that have not cost no body', async () => {
    origin.site('paper', {
      pages: { ...before, '/news': htmlPage('New news', ['/fresh']), '/fresh': htmlPage('Fresh') },
    });
    await later({ hours: 2 });
    expect(asked('paper')).toEqual(['/', '/dated', '/fresh', '/news', '/plain']);
    const [homeRequest] = origin.requestsTo('paper', '/');
    expect(homeRequest?.headers['if-none-match']).toBe('"home"');
    const [datedRequest] = origin.requestsTo('paper', '/dated');
    expect(datedRequest?.headers['if-modified-since']).toBe(LAST_MODIFIED);
    const visits = await readLastVisits(database.db, 'paper');
    expect(visits.map(({ path, outcome, type }) => [path, outcome, type])).toEqual([
      ['/', 'not-modified', 'refresh'],
      ['/dated', 'not-modified', 'refresh'],
      ['/fresh', 'page', 'discovery'],
      ['/news', 'page', 'refresh'],
      ['/plain', 'page', 'refresh'],
    ]);
    expect(visits.map(({ bytes }) => bytes > 0)).toEqual([false, false, true, true, true]);
  });

  it('tells the changed from the unchanged, whichever way the server says so', async () => {
    expect(await readPageReadings(database.db, 'paper')).toMatchObject({
      '/': { title: 'Home', readAgo: 0, changedAgo: null },
      '/dated': { title: 'Dated', readAgo: 0, changedAgo: null },
      '/plain': { title: 'Plain', readAgo: 0, changedAgo: null },
      '/news': { title: 'New news', readAgo: 0, changedAgo: 0 },
      '/fresh': { title: 'Fresh', readAgo: 0, changedAgo: null },
    });
  });

  it('is read sooner where it changes and later where it does not', async () => {
    const unchanged = { visits: 2, changes: 0, everyHours: 504, inHours: 504 };
    expect(await readUrlReadings(database.db, 'paper')).toMatchObject({
      '/': unchanged,
      '/dated': unchanged,
      '/plain': unchanged,
      '/news': { visits: 2, changes: 1, everyHours: 168, inHours: 168 },
      '/fresh': { visits: 1, changes: 0, everyHours: 336, inHours: 336 },
    });
  });

  it('rests until the first of its pages is due, and is then asked for that one alone', async () => {
    expect(await readState(database.db, 'paper')).toMatchObject({ status: 'exhausted', restHours: 168 });
    await later({ days: 7, minutes: 10 });
    expect(asked('paper')).toEqual(['/news']);
    expect(await readPageReadings(database.db, 'paper')).toMatchObject({ '/news': { changedAgo: 168 } });
    expect(await readUrlReadings(database.db, 'paper')).toMatchObject({
      '/news': { visits: 3, changes: 1, everyHours: 252 },
    });
    expect(await readState(database.db, 'paper')).toMatchObject({
      status: 'exhausted',
      restHours: 168,
      pages: 5,
    });
  });
});

describe('the time between two readings', () => {
  it('falls to the floor for a page that always changes and rises to the ceiling for one that never does', async () => {
    let edition = 0;
    const ticker: Handler = ({ response }) => {
      edition += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage(`Edition ${edition}`));
    };
    await begin('extremes', { '/': htmlPage('Home', ['/ticker']), '/ticker': ticker });
    const every = async () => {
      const rows = await readUrlReadings(database.db, 'extremes');
      return [rows['/']?.everyHours, rows['/ticker']?.everyHours];
    };
    expect(await every()).toEqual([336, 336]);
    const seen: unknown[] = [];
    for (let round = 0; round < 6; round += 1) {
      await later({ days: 95 });
      seen.push(await every());
    }
    expect(seen).toEqual([
      [504, 168],
      [756, 84],
      [1134, 42],
      [1701, 24],
      [2160, 24],
      [2160, 24],
    ]);
    // However often a page changes, its domain is not woken more than once a day.
    expect(await readState(database.db, 'extremes')).toMatchObject({ restHours: 24 });
  });
});

describe('a known page that is no page any more', () => {
  const redirect: Handler = ({ response }) => void response.writeHead(301, { location: '/new' }).end();
  const pdf: Handler = ({ response }) =>
    void response.writeHead(200, { 'content-type': 'application/pdf', etag: '"pdf"' }).end('%PDF-1.7');

  it('has changed once, not again at every reading; what was read of it is kept as missing', async () => {
    const links = ['/moving', '/printed'];
    const page = (title: string): Handler => cacheable(htmlPage(title), { etag: `"${title}"` });
    await begin('moved', {
      '/': htmlPage('Home', links),
      '/moving': page('Moving'),
      '/printed': page('Printed'),
    });
    origin.site('moved', {
      pages: { '/': htmlPage('Home', links), '/moving': redirect, '/printed': pdf, '/new': page('New') },
    });
    await later(FORTNIGHT);
    expect(asked('moved')).toEqual(['/', '/moving', '/new', '/printed']);
    const once = { state: 'fetched', changes: 1, everyHours: 168, hasHash: false };
    expect(await readUrlReadings(database.db, 'moved')).toMatchObject({ '/moving': once, '/printed': once });
    expect(await readPageReadings(database.db, 'moved')).toMatchObject({
      '/moving': { title: 'Moving', missingFor: 0, goneFor: null },
      '/printed': { title: 'Printed', missingFor: 0, goneFor: null },
      '/new': { title: 'New', missingFor: null },
    });
    await later({ days: 7, minutes: 10 });
    // With the first of the pages, whose answer tells that the site is well.
    expect(asked('moved')).toEqual(['/moving', '/new', '/printed']);
    // Nothing of the page that was there is offered to the server: there is no such page.
    expect(origin.requestsTo('moved').map(({ headers }) => headers['if-none-match'])).not.toContain(
      '"Moving"',
    );
    const settled = { state: 'fetched', changes: 1, everyHours: 252 };
    expect(await readUrlReadings(database.db, 'moved')).toMatchObject({
      '/moving': settled,
      '/printed': settled,
    });
  });

  it('is there again when it comes back', async () => {
    origin.site('moved', {
      pages: {
        '/': htmlPage('Home'),
        '/moving': htmlPage('Back'),
        '/printed': htmlPage('Printed'),
        '/new': htmlPage('New'),
      },
    });
    await later({ days: 11 });
    expect(await readPageReadings(database.db, 'moved')).toMatchObject({
      '/moving': { title: 'Back', missingFor: null, changedAgo: 0 },
      '/printed': { title: 'Printed', missingFor: null },
    });
  });
});

describe('a known page that robots.txt disallows by now', () => {
  it('is not asked for as long as that holds, and what was read of it stays', async () => {
    const pages = { '/': htmlPage('Home', ['/private']), '/private': htmlPage('Private') };
    await begin('shy', pages);
    origin.site('shy', { pages, robots: 'User-agent: *\nDisallow: /private\n' });
    await later(FORTNIGHT);
    expect(asked('shy')).toEqual(['/']);
    expect(await readUrlReadings(database.db, 'shy')).toMatchObject({
      '/private': { state: 'fetched', outcome: 'robots-denied', inHours: 336 },
    });
    expect(await readPageReadings(database.db, 'shy')).toMatchObject({
      '/private': { title: 'Private', missingFor: null, goneFor: null },
    });
    expect(await readState(database.db, 'shy')).toMatchObject({ status: 'exhausted', restHours: 336 });
    // Rules change: it is looked at again in its own time.
    origin.site('shy', { pages });
    await later({ days: 21 });
    expect(asked('shy')).toContain('/private');
  });
});
