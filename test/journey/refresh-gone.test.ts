/** A page that is missing is in quarantine until other pages of its site have shown that the site is well. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage, type SitePages } from '../origin/site.ts';
import { readState } from '../support/domain-history.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { advance, type Interval } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { readPageReadings, readUrlReadings } from '../support/refresh-rows.ts';

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
const A_DAY: Interval = { days: 1, minutes: 10 };
const work = () => runTestFleet({ db: database.db, settings: { maxHoldMs: 0, maxRetries: 0 } });
const later = async (interval: Interval): Promise<void> => {
  await advance(database, interval);
  await work();
};
async function begin(name: string, pages: SitePages): Promise<void> {
  await database.execute('update domains set is_active = false');
  origin.site(name, { pages });
  await seedFleet(database.db, [origin.hostUrl(name, '/')]);
  await work();
}
const status =
  (code: number): Handler =>
  ({ response }) =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end('<p>No.</p>');
/** Answers late: whoever asks for two things at once hears of the other first. */
const late =
  (body: string): Handler =>
  async ({ response }) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  };
const urls = (name: string) => readUrlReadings(database.db, name);
const pages = (name: string) => readPageReadings(database.db, name);

describe('a page missing from a site that is well', () => {
  const links = ['/kept', '/removed', '/withdrawn'];
  const before = {
    '/': late(htmlPage('Home', links)),
    '/kept': late(htmlPage('Kept')),
    '/removed': htmlPage('Removed'),
    '/withdrawn': htmlPage('Withdrawn'),
  };

  it('is missing at first, asked for again after a day, and gone at the third miss', async () => {
    await begin('shrinking', before);
    const { '/removed': _removed, ...rest } = before;
    origin.site('shrinking', { pages: { ...rest, '/withdrawn': status(410) } });
    await later(FORTNIGHT);
    for (const misses of [1, 2]) {
      const missing = { state: 'fetched', outcome: 'gone', misses, inHours: 24, everyHours: 336 };
      expect(await urls('shrinking')).toMatchObject({ '/removed': missing, '/withdrawn': missing });
      const page = { missingFor: 24 * (misses - 1), goneFor: null };
      expect(await pages('shrinking')).toMatchObject({ '/removed': page, '/withdrawn': page });
      expect(await readState(database.db, 'shrinking')).toMatchObject({ status: 'exhausted', restHours: 24 });
      await later(A_DAY);
    }
    const gone = { state: 'fetched', outcome: 'gone', misses: 3, inHours: 90 * 24 };
    expect(await urls('shrinking')).toMatchObject({ '/removed': gone, '/withdrawn': gone });
    const page = { title: 'Removed', missingFor: 48, goneFor: 0 };
    expect((await pages('shrinking'))['/removed']).toMatchObject(page);
  });

  it('is looked for once in a long time once it is gone, and is a page again when it is back', async () => {
    const count = origin.requestsTo('shrinking', '/removed').length;
    await later({ days: 80 });
    expect(origin.requestsTo('shrinking', '/removed')).toHaveLength(count);
    await later({ days: 20 });
    expect(origin.requestsTo('shrinking', '/removed')).toHaveLength(count + 1);
    expect((await pages('shrinking'))['/removed']).toMatchObject({ goneFor: 100 * 24 });
    origin.site('shrinking', { pages: before });
    await later({ days: 100 });
    expect((await pages('shrinking'))['/removed']).toMatchObject({ missingFor: null, goneFor: null });
  });

  it('that comes back in between was never gone, and its misses are forgotten', async () => {
    const home = htmlPage('Home', ['/blinking']);
    const there = { '/': home, '/blinking': htmlPage('Blinking') };
    await begin('blinking', there);
    origin.site('blinking', { pages: { '/': home } });
    await later(FORTNIGHT);
    await later(A_DAY);
    expect((await urls('blinking'))['/blinking']).toMatchObject({ misses: 2 });
    origin.site('blinking', { pages: there });
    await later(A_DAY);
    expect((await urls('blinking'))['/blinking']).toMatchObject({ misses: 0, state: 'fetched' });
    expect((await pages('blinking'))['/blinking']).toMatchObject({ missingFor: null, goneFor: null });
  });
});

describe('a site of which everything is missing', () => {
  it('is broken: nothing is gone however long it lasts, and all is well when it is back', async () => {
    const site = { '/': htmlPage('Home', ['/a', '/b']), '/a': htmlPage('A'), '/b': htmlPage('B') };
    await begin('broken', site);
    origin.site('broken', { pages: {} });
    await later(FORTNIGHT);
    for (let day = 0; day < 5; day += 1) await later(A_DAY);
    const missing = { state: 'fetched', misses: 1 };
    expect(await urls('broken')).toMatchObject({ '/': missing, '/a': missing, '/b': missing });
    expect(await pages('broken')).toMatchObject({ '/a': { missingFor: 121, goneFor: null } });
    expect(await readState(database.db, 'broken')).toMatchObject({ status: 'exhausted', restHours: 24 });
    origin.site('broken', { pages: site });
    await later(A_DAY);
    const well = { state: 'fetched', misses: 0, changes: 0 };
    expect(await urls('broken')).toMatchObject({ '/': well, '/a': well, '/b': well });
    const page = { missingFor: null, goneFor: null, changedAgo: null };
    expect(await pages('broken')).toMatchObject({ '/': page, '/a': page, '/b': page });
  });

  it('save for a front page that redirects, which proves nothing', async () => {
    const moved: Handler = ({ response }) => void response.writeHead(302, { location: '/en' }).end();
    const links = ['/a', '/b'];
    await begin('fronted', {
      '/': moved,
      '/en': htmlPage('Home', links),
      '/a': htmlPage('A'),
      '/b': htmlPage('B'),
    });
    origin.site('fronted', { pages: { '/': moved } });
    await later(FORTNIGHT);
    for (let day = 0; day < 4; day += 1) await later(A_DAY);
    const missing = { state: 'fetched', misses: 1 };
    expect(await urls('fronted')).toMatchObject({ '/en': missing, '/a': missing, '/b': missing });
    // One of them back is enough to tell: from here on the others count.
    origin.site('fronted', { pages: { '/': moved, '/en': late(htmlPage('Home', links)) } });
    for (let day = 0; day < 3; day += 1) await later(A_DAY);
    const gone = { state: 'fetched', misses: 3 };
    expect(await urls('fronted')).toMatchObject({ '/en': { misses: 0 }, '/a': gone, '/b': gone });
  });
});

describe('a page that could not be read', () => {
  it.each([
    ['a server error', status(500), 'server-error'],
    ['a refusal', status(403), 'refused'],
    ['a broken connection', ({ response }) => void response.destroy(), 'connection-lost'],
  ] as [string, Handler, string][])(
    'because of %s stays, and is asked for a day later',
    async (what, handler, outcome) => {
      const name = `failing-${what.replaceAll(' ', '-')}`;
      const site = { '/': htmlPage('Home', ['/page']), '/page': htmlPage('Page') };
      await begin(name, site);
      origin.site(name, { pages: { ...site, '/page': handler } });
      await later(FORTNIGHT);
      expect((await urls(name))['/page']).toMatchObject({
        ...{ state: 'fetched', outcome, misses: 0, errors: 1, everyHours: 336, inHours: 24 },
      });
      expect((await pages(name))['/page']).toMatchObject({ title: 'Page', missingFor: null, goneFor: null });
      expect(await readState(database.db, name)).toMatchObject({ status: 'exhausted', restHours: 24 });
      origin.site(name, { pages: site });
      await later(A_DAY);
      expect((await urls(name))['/page']).toMatchObject({ outcome: 'page', errors: 0, everyHours: 504 });
    },
  );

  it('of a site that asks us to slow down is as due as it was, and read when the site has rested', async () => {
    const site = { '/': htmlPage('Home', ['/page']), '/page': htmlPage('Page') };
    await begin('hurried', site);
    origin.site('hurried', { pages: { '/*': status(429) }, robots: '' });
    await later(FORTNIGHT);
    const resting = { status: 'active', isRefreshing: true, restHours: 0 };
    expect(await readState(database.db, 'hurried')).toMatchObject(resting);
    expect(await urls('hurried')).toMatchObject({ '/': { state: 'fetched' }, '/page': { state: 'fetched' } });
    origin.site('hurried', { pages: site });
    await later({ minutes: 5 });
    const read = { state: 'fetched', outcome: 'page', everyHours: 504 };
    expect(await urls('hurried')).toMatchObject({ '/': read, '/page': read });
    expect(await readState(database.db, 'hurried')).toMatchObject({
      status: 'exhausted',
      isRefreshing: false,
    });
  });
});
