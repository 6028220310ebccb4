/** How far a crawl goes from its seeds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { expectConsistent, readDomainRows, readPageRows, readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl, stopAfterPages } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  origin.site('a.shop', {
    pages: {
      '/': htmlPage('A', ['/one', origin.hostUrl('b.shop', '/'), origin.hostUrl('other', '/')]),
      '/one': htmlPage('A one', [origin.hostUrl('b.shop', '/two')]),
    },
  });
  origin.site('b.shop', { pages: { '/': htmlPage('B', ['/two']), '/two': htmlPage('B two') } });
  origin.site('other', { pages: { '/': htmlPage('Other', ['/deep']), '/deep': htmlPage('Other deep') } });
});
beforeEach(async () => {
  database = await createTestDatabase();
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

const titles = async (): Promise<(string | null)[]> =>
  (await readPageRows(database.db)).map(({ title }) => title).sort();

describe('scope', () => {
  it('host stays on the host of the seed', async () => {
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('a.shop', '/')], scope: 'host' });
    expect(await titles()).toEqual(['A', 'A one']);
    expect(new Set(origin.requests.map(({ site }) => site))).toEqual(new Set(['a.shop']));
  });

  it('domain takes in every host under the registrable domain', async () => {
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('a.shop', '/')], scope: 'domain' });
    expect(await titles()).toEqual(['A', 'A one', 'B', 'B two']);
    expect(origin.requestsTo('other')).toHaveLength(0);
  });

  it('any goes wherever links lead', async () => {
    const { end } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('a.shop', '/')],
      scope: 'any',
    });
    expect(end.reason).toBe('complete');
    expect(await titles()).toEqual(['A', 'A one', 'B', 'B two', 'Other', 'Other deep']);
    await expectConsistent(database.db);
  });
});

describe('filters', () => {
  const pages = {
    '/': htmlPage('Home', ['/shoes/1', '/shoes/2', '/hats/1', '/shoes/old/3']),
    '/shoes/1': htmlPage('Shoe 1'),
    '/shoes/2': htmlPage('Shoe 2'),
    '/hats/1': htmlPage('Hat 1'),
    '/shoes/old/3': htmlPage('Old shoe'),
  };

  it('--include follows only what matches, and starts from a seed that does not', async () => {
    origin.site('filtered', { pages });
    const { summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('filtered', '/')],
      include: [/\/shoes\//],
    });
    expect(await titles()).toEqual(['Home', 'Old shoe', 'Shoe 1', 'Shoe 2']);
    expect(summary.skipped.include).toBe(1);
    expect(origin.requestsTo('filtered', '/hats/1')).toHaveLength(0);
  });

  it('--exclude wins over --include', async () => {
    origin.site('filtered', { pages });
    const { summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('filtered', '/')],
      include: [/\/shoes\//],
      exclude: [/\/old\//],
    });
    expect(await titles()).toEqual(['Home', 'Shoe 1', 'Shoe 2']);
    expect(summary.skipped).toMatchObject({ include: 1, exclude: 1 });
    expect(origin.requestsTo('filtered', '/shoes/old/3')).toHaveLength(0);
  });
});

describe('two crawls in one database', () => {
  it('of different sites do not touch each other', async () => {
    origin.site('mine', { pages: { '/': htmlPage('Mine', ['/1', '/2']), '/*': htmlPage('My page') } });
    origin.site('yours', { pages: { '/': htmlPage('Yours', ['/1', '/2']), '/*': htmlPage('Your page') } });
    const mine = { db: database.db, seeds: [origin.hostUrl('mine', '/')] };
    const yours = { db: database.db, seeds: [origin.hostUrl('yours', '/')] };
    await runTestCrawl({ ...mine, prepare: stopAfterPages(1), settings: { maxConcurrentPerDomain: 1 } });
    const before = (await readDomainRows(database.db)).find(({ domain }) => domain.startsWith('mine'));
    const { end, summary } = await runTestCrawl(yours);
    expect(end.reason).toBe('complete');
    expect(summary.domains.map(({ domain }) => domain.split('.')[0])).toEqual(['yours']);
    const after = (await readDomainRows(database.db)).find(({ domain }) => domain.startsWith('mine'));
    expect(after).toEqual(before);
    expect((await readUrlRows(database.db)).some(({ state }) => state === 'never_crawled')).toBe(true);
    expect((await runTestCrawl(mine)).end).toMatchObject({ reason: 'complete', isResumed: true });
    await expectConsistent(database.db);
  });
});
