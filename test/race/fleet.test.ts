/** Many worker processes at one standing order. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildProgram } from '../support/crawl-process.ts';
import { expectConsistent, readDomainRows, readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import {
  askedTwice,
  countHeld,
  countVisitsByWorker,
  expectGoodEnds,
  type FleetPlace,
  type FleetWeb,
  fleetSite,
  fleetUrls,
  readWorkers,
  seedFleet,
  startFleetWeb,
  startWorker,
} from '../support/fleet.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let web: FleetWeb;
let database: TestDatabase;
beforeAll(async () => {
  await buildProgram();
  web = await startFleetWeb();
});
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});
afterAll(() => web.origin.close());

async function placeWith(env: Readonly<Record<string, string>>): Promise<FleetPlace> {
  return { dataDir: await temporaryDirectory(), databaseUrl: database.url, env };
}

function plantSites(prefix: string, count: number, site: Parameters<typeof fleetSite>[0]): string[] {
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  for (const name of names) web.origin.site(name, fleetSite(site));
  return names;
}

async function expectAllOnce(sites: readonly string[], pages: number): Promise<void> {
  expect(askedTwice(web.origin, sites)).toEqual([]);
  expect((await readPageRows(database.db)).map(({ url }) => url)).toEqual(
    fleetUrls(web.origin, sites, pages),
  );
  await expectConsistent(database.db);
}

it('8 worker processes, 200 domains, 20,000 pages: every page once, the delay kept at every server, each worker has had its part', async () => {
  const [workerCount, pages, delayMs] = [8, 100, 50];
  const sites = plantSites('fleet', 200, { pages });
  // Few domains at a time and short turns: every domain passes through several hands.
  const place = await placeWith({
    FORAGER_DELAY_MS: String(delayMs),
    FORAGER_MAX_DOMAINS: '3',
    FORAGER_MAX_PAGES_PER_RUN: '30',
  });
  const spellings = sites.flatMap((name) => [
    web.origin.hostUrl(name, '/'),
    web.origin.hostUrl(name.toUpperCase(), ''),
  ]);
  await seedFleet(place, spellings);
  const ids = Array.from({ length: workerCount }, (_, n) => `worker-${n}`);
  await expectGoodEnds(ids.map((id) => startWorker(place, ['--id', id, '--until-idle'])));

  await expectAllOnce(sites, pages);
  expect(web.findShortGaps(sites, delayMs)).toEqual([]);
  const workers = await readWorkers(database.db);
  expect(workers.map(({ id, state, domains_count }) => ({ id, state, domains_count }))).toEqual(
    ids.map((id) => ({ id, state: 'stopped', domains_count: 0 })),
  );
  const visits = await countVisitsByWorker(database.db);
  expect([...visits.keys()]).toEqual(ids);
  expect(workers.reduce((sum, worker) => sum + worker.pages_count, 0)).toBe(sites.length * pages);
  const moved = await database.db.query<{ count: number }>(
    `select count(*)::int as count from (select from crawl_log group by domain_id having count(distinct worker_id) > 1) t`,
  );
  expect(moved.rows[0]?.count).toBeGreaterThan(sites.length / 2);
  const domains = await readDomainRows(database.db);
  expect(new Set(domains.map(({ status }) => status))).toEqual(new Set(['exhausted']));
}, 600_000);

it('a domain that goes from hand to hand every few pages is never asked before its delay is over', async () => {
  const [pages, delayMs] = [40, 150];
  const sites = plantSites('passed', 4, { pages });
  const place = await placeWith({
    FORAGER_DELAY_MS: String(delayMs),
    FORAGER_MAX_DOMAINS: '1',
    FORAGER_MAX_PAGES_PER_RUN: '2',
  });
  await seedFleet(
    place,
    sites.map((name) => web.origin.hostUrl(name, '/')),
  );
  // One domain more than hands: who gives one back takes the one that has waited, and whoever comes next takes this.
  await expectGoodEnds([1, 2, 3].map((n) => startWorker(place, ['--id', `hand-${n}`, '--until-idle'])));
  await expectAllOnce(sites, pages);
  expect(web.findShortGaps(sites, delayMs)).toEqual([]);
  const { rows } = await database.db.query<{ count: number }>(
    `select count(*)::int as count
       from (select worker_id, lag(worker_id) over (partition by domain_id order by fetched_at) as before
               from crawl_log) as l
      where worker_id <> before`,
  );
  expect(rows[0]?.count).toBeGreaterThan(sites.length);
}, 180_000);

it('a worker with more domains than it can serve hands some over to one that has none, and no page is asked for twice', async () => {
  const [pages, delayMs] = [40, 20];
  const sites = plantSites('shared-out', 16, { pages, answerMs: 30 });
  const place = await placeWith({ FORAGER_DELAY_MS: String(delayMs) });
  await seedFleet(
    place,
    sites.map((name) => web.origin.hostUrl(name, '/')),
  );
  // One request at a time for sixteen domains: each waits half a second for its turn.
  const busy = startWorker(place, ['--id', 'busy'], { FORAGER_MAX_IN_FLIGHT: '1' });
  await waitUntil(async () => ((await countHeld(database.db, 'busy')) === sites.length ? true : undefined));
  const idle = startWorker(place, ['--id', 'idle']);
  await waitUntil(async () => ((await countHeld(database.db, 'idle')) > 0 ? true : undefined));
  await waitUntil(async () =>
    (await readPageRows(database.db)).length === sites.length * pages ? true : undefined,
  );
  for (const worker of [busy, idle]) worker.child.kill('SIGTERM');
  const [end] = await expectGoodEnds([busy, idle]);
  expect(end?.stderr).toMatch(/domains? handed over to workers with nothing to do/);
  await expectAllOnce(sites, pages);
  expect(web.findShortGaps(sites, delayMs)).toEqual([]);
  const visits = await countVisitsByWorker(database.db);
  expect([...visits.keys()]).toEqual(['busy', 'idle']);
  expect((await readWorkers(database.db)).map(({ state }) => state)).toEqual(['stopped', 'stopped']);
}, 180_000);
