/** What a crawl writes is what a backfill would: nothing to correct after one, everything rebuilt after a loss. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { backfill } from '../../src/control/backfill/backfill.ts';
import { status } from '../origin/behaviours/statuses.ts';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { runTestCrawl, stopAfterPages } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});
afterAll(() => origin.close());

const COUNTERS = `select domain, pages_discovered, pages_crawled, images_found, crawl_depth_reached,
                         total_error_count from domains order by domain`;
const readCounters = async () => (await database.db.query(COUNTERS)).rows;

async function crawlTwoSites(): Promise<void> {
  origin.site('good', goodSite({ pages: 60, linksPerPage: 8 }));
  origin.site('mixed', {
    pages: {
      '/': htmlPage('a', ['/b', '/gone', '/broken', '/c?x=1']),
      '/b': htmlPage('b', ['/c']),
      '/c?x=1': htmlPage('c', []),
      '/c': htmlPage('c', []),
      '/gone': status(404),
      '/broken': status(500),
    },
  });
  const seeds = [origin.hostUrl('good', '/'), origin.hostUrl('mixed', '/')];
  // Stopped once on the way: counters are added to, not written.
  await runTestCrawl({ db: database.db, seeds, prepare: stopAfterPages(20) });
  await runTestCrawl({ db: database.db, seeds });
}

it('finds nothing to correct after a crawl that was stopped once on its way', async () => {
  await crawlTwoSites();
  const { tally, validation } = await backfill(database.db);
  expect(validation?.isWell).toBe(true);
  expect(tally).toMatchObject({ rebuilt: 0, merged: 0, renamed: 0, correctedDomains: 0 });
  expect((await readCounters()).map((row) => row.pages_crawled)).not.toContain(0);
});

it('brings a lost domain back with the counters the crawl had given it', async () => {
  await crawlTwoSites();
  const before = await readCounters();
  await database.execute('delete from domains');
  const { tally, validation } = await backfill(database.db);
  expect(validation?.isWell).toBe(true);
  expect(tally.rebuilt).toBe(before.length);
  expect(await readCounters()).toEqual(before);
  // And it can be crawled again, with nothing left to do.
  const { end, summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('good', '/')] });
  expect(end.reason).toBe('complete');
  expect(summary.fetches).toBe(0);
});
