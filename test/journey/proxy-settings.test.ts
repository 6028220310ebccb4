/** What somebody decides about the proxies of a domain reaches the worker that has it in hand. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { changeSettings } from '../../src/control/domains/change-settings.ts';
import type { FleetWorker } from '../../src/engine/fleet/fleet-worker.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PERSON = { name: 'cli:anna' };

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

const asked = (): number => origin.requestsTo('held').length;
async function readDomain() {
  const { rows } = await database.db.query<Record<string, unknown>>(
    'select domain, status, claimed_by, block_reason_code, block_reason, next_crawl_after from domains',
  );
  return rows[0] ?? {};
}

it('a domain that must not go directly any more stops in mid-crawl, waits, says why, and goes on when it may', async () => {
  const links = Array.from({ length: 5000 }, (_, n) => `/${n}`);
  origin.site('held', { pages: { '/*': htmlPage('x', links) } });
  await seedFleet(database.db, [origin.hostUrl('held', '/')]);
  let fleet: FleetWorker | undefined;
  const run = runTestFleet({
    db: database.db,
    settings: { delayMs: 5, maxConcurrentPerDomain: 1 },
    prepare: (worker) => (fleet = worker),
  });
  await waitUntil(() => (asked() > 20 ? true : undefined));
  const { domain } = await readDomain();
  await changeSettings(database.db, String(domain), { proxyMode: 'required' }, PERSON);
  const waiting = await waitUntil(async () => {
    const row = await readDomain();
    return row.claimed_by === null && row.block_reason_code === 'no_proxy' ? row : undefined;
  });
  expect(waiting).toMatchObject({
    ...{ status: 'active', block_reason: 'it needs a proxy, and there is none for it' },
    next_crawl_after: expect.any(Date),
  });
  const before = asked();
  expect(before).toBeLessThan(links.length);
  // More than a worker would need to ask for a page, were it still at it.
  for (let looks = 0; looks < 20; looks += 1) await readDomain();
  expect(asked()).toBe(before);

  await changeSettings(database.db, String(domain), { proxyMode: null }, PERSON);
  await waitUntil(() => {
    fleet?.worker?.lookAround();
    return asked() > before + 5 ? true : undefined;
  });
  expect(await readDomain()).toMatchObject({ block_reason_code: null, next_crawl_after: null });
  fleet?.stop();
  await run;
}, 60_000);
