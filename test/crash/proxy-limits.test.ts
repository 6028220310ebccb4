/** Worker processes that share proxies with limits, one of them killed with requests in hand: no proxy is asked too often. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram } from '../support/crawl-process.ts';
import { readUrlRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { type FleetWeb, fleetSite, seedFleet, startFleetWeb, startWorker } from '../support/fleet.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startSquids, type TestSquid } from '../support/proxies.ts';
import { plantProxies, readProxies } from '../support/proxy-rows.ts';

const SITES = Array.from({ length: 8 }, (_, n) => `shared-${n}`);
const PAGES = 60;
const MAY_HAVE = 50;

let web: FleetWeb;
let database: TestDatabase;
let squids: TestSquid[];
beforeAll(async () => {
  await buildProgram();
  web = await startFleetWeb();
  database = await createTestDatabase();
  squids = await startSquids(2, { hosts: SITES.map((site) => `${site}.localhost`) });
});
afterAll(async () => {
  await Promise.all([squids[0]?.stop(), web.origin.close()]);
  await database.drop();
});

it('keeps the limit of every proxy over all workers, also over the one that dies', async () => {
  const { origin } = web;
  for (const site of SITES) origin.site(site, fleetSite({ pages: PAGES, answerMs: 20 }));
  await plantProxies(
    database,
    squids.map(({ protocol, port }) => ({ protocol, port, maxPerHour: MAY_HAVE })),
  );
  const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url };
  await seedFleet(
    place,
    SITES.map((site) => origin.hostUrl(site, '/')),
  );
  const env = { FORAGER_DELAY_MS: '0', FORAGER_MAX_DOMAINS: '3' };
  const workers = ['one', 'two', 'three'].map((id) => startWorker(place, ['--id', id], env));
  await waitUntil(() => (origin.requests.length >= 30 ? true : undefined));
  workers[0]?.child.kill('SIGKILL');
  const heir = startWorker(place, ['--id', 'four'], env);

  // Every site has asked until there was nothing left for it, and waits.
  await waitUntil(async () => {
    const { rows } = await database.execute<{ waiting: number }>(
      `select count(*)::int as waiting from domains where block_reason_code = 'no_proxy' and claimed_by is null`,
    );
    return rows[0]?.waiting === SITES.length ? true : undefined;
  });
  for (const worker of [...workers.slice(1), heir]) worker.child.kill('SIGTERM');
  await Promise.all([...workers, heir].map(({ ended }) => ended));

  const seen = await Promise.all(squids.map(async (squid) => (await squid.requests()).length));
  for (const count of seen) expect(count).toBeLessThanOrEqual(MAY_HAVE);
  // What some are granted and give back, others have in a minute: by now not all is used.
  expect(seen.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(30);
  expect(origin.requests.filter(({ headers }) => headers.via === undefined)).toEqual([]);
  const urls = await readUrlRows(database.db);
  expect(urls.filter(({ state, error_count: errors }) => state === 'failed' || errors > 0)).toEqual([]);
  expect((await readProxies(database)).map(({ isActive }) => isActive)).toEqual([true, true]);
});
