/** Several Forager processes at the same thing at the same time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { migrateUp } from '../../src/platform/migrate.ts';
import { goodSite, goodSitePath } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { buildProgram, startCrawl } from '../support/crawl-process.ts';
import { expectConsistent, readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory } from '../support/crawl-support.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

it('two processes that run the same crawl share it: every page once, both end well', async () => {
  const sites = Array.from({ length: 8 }, (_, n) => `shared-${n}`);
  for (const name of sites) origin.site(name, goodSite({ pages: 60, linksPerPage: 6 }));
  const seeds = sites.map((name) => origin.hostUrl(name, '/'));
  const dataDir = await temporaryDirectory();
  // Few domains at a time, so that there is something left for the other.
  const env = { FORAGER_MAX_DOMAINS: '2' };
  const both = [1, 2].map(() => startCrawl(seeds, { dataDir, databaseUrl: database.url, env }));
  for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 });
  for (const name of sites) {
    const asked = origin.requestsTo(name).map(({ path }) => path);
    const pages = asked.filter((path) => path !== '/robots.txt').sort();
    expect(pages).toEqual(Array.from({ length: 60 }, (_, n) => goodSitePath(n)).sort());
  }
  const { rows } = await database.db.query<{ runs: number; workers: number }>(
    `select count(distinct run_id)::int as runs, count(distinct worker_id)::int as workers from crawl_log`,
  );
  expect(rows[0]?.runs).toBe(1);
  expect(rows[0]?.workers).toBeGreaterThanOrEqual(2);
  await expectConsistent(database.db);
});

it('two crawls that find links into each other’s domains lose none of them', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `web-${n}`);
  for (const [index, name] of names.entries()) {
    const pages = Object.fromEntries(
      Array.from({ length: 15 }, (_, page) => [
        page === 0 ? '/' : `/p/${page}`,
        htmlPage(`${name} ${page}`, [
          `/p/${(page + 1) % 15}`,
          ...names.map((other, n) => origin.hostUrl(other, `/p/${((page * 7 + n + index) % 14) + 1}`)),
        ]),
      ]),
    );
    origin.site(name, { pages });
  }
  const dataDir = await temporaryDirectory();
  const order = { dataDir, databaseUrl: database.url, args: ['--scope', 'any', '--max-depth', '50'] };
  const crawls = [
    startCrawl([origin.hostUrl('web-0', '/'), origin.hostUrl('web-1', '/')], order),
    startCrawl([origin.hostUrl('web-11', '/'), origin.hostUrl('web-10', '/')], order),
  ];
  for (const { ended } of crawls) expect(await ended).toMatchObject({ code: 0 });
  const urls = (await readPageRows(database.db))
    .map(({ url }) => url)
    .filter((url) => url.includes('//web-'));
  // Every page but the front pages nobody links to.
  expect(urls.filter((url) => url.includes('/p/'))).toHaveLength(12 * 14);
  await expectConsistent(database.db);
});

it('four that bring an empty database up to date at once leave it right', async () => {
  const empty = await createEmptyDatabase();
  const config = loadConfig({ databaseUrl: empty.url, databasePoolSize: 2 }, {});
  const guests = await Promise.all([1, 2, 3, 4].map(() => openDatabase(config)));
  await Promise.all(guests.map((guest) => migrateUp(guest)));
  const { rows } = await empty.db.query<{ count: number }>(
    'select count(*)::int as count from domain_status_moves',
  );
  expect(rows[0]?.count).toBeGreaterThan(5);
  await Promise.all(guests.map((guest) => guest.close()));
  await empty.drop();
});
