/** Domains that are left alone at certain hours. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantTasks, readTasks } from '../support/tasks.ts';

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

/** From an hour ago, or from now on, for two hours: over midnight where that is near. */
const openWindow = (sinceHours: number): string =>
  `update domains set maintenance_start = ((forager_now() - interval '${sinceHours} hours') at time zone 'UTC')::time,
                      maintenance_end = ((forager_now() + interval '2 hours') at time zone 'UTC')::time`;

it('a domain in its window is not claimed, whatever was ordered there; others are', async () => {
  for (const site of ['resting', 'open']) origin.site(site, { pages: { '/a': htmlPage('A') } });
  await plantTasks(database.db, [origin.hostUrl('resting', '/a')]);
  await database.execute(openWindow(1));
  await plantTasks(database.db, [origin.hostUrl('open', '/a')]);
  await runTestFleet({
    db: database.db,
    // Of a domain that could be claimed later it would be said that there is something left to do.
    prepare: (worker) => {
      void waitUntil(async () =>
        (await readTasks(database.db)).some(({ status }) => status === 'completed') ? true : undefined,
      ).then(() => worker.stop());
    },
  });
  expect((await readTasks(database.db)).map(({ status }) => status)).toEqual(['queued', 'completed']);
  expect(origin.requestsTo('resting')).toEqual([]);
});

it('a domain whose window begins while it is worked on is given back until the end of it', async () => {
  const pages = Array.from({ length: 400 }, (_, n) => `/${n}`);
  origin.site('begins', {
    pages: {
      ...Object.fromEntries(pages.map((path) => [path, htmlPage(path)])),
      '/': htmlPage('Home', pages),
    },
  });
  await seedFleet(database.db, [origin.hostUrl('begins', '/')]);
  let isOpened = false;
  await runTestFleet({
    db: database.db,
    settings: { delayMs: 30, maxHoldMs: 1000 },
    prepare: (_worker, events) => {
      events.on('url:visited', () => {
        if (!isOpened) void database.execute(openWindow(0));
        isOpened = true;
      });
    },
  });
  expect(origin.requestsTo('begins').length).toBeLessThan(pages.length);
  const { rows } = await database.db.query<{ minutes: number }>(
    `select status, claimed_by, block_reason, round(extract(epoch from next_crawl_after - forager_now()) / 60)::int as minutes
       from domains`,
    [],
  );
  expect(rows).toMatchObject([{ status: 'active', claimed_by: null, block_reason: 'maintenance window' }]);
  expect(rows[0]?.minutes).toBeGreaterThan(110);
  expect(rows[0]?.minutes).toBeLessThanOrEqual(120);
});
