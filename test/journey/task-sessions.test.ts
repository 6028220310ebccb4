/** Tasks that come, go and become urgent while their domains are being worked on, given back, or refuse us. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FleetWorker } from '../../src/engine/fleet/fleet-worker.ts';
import { openWarcStore } from '../../src/engine/store/open-warc-store.ts';
import type { Database } from '../../src/platform/database.ts';
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

const pathsAsked = (site: string): string[] =>
  origin
    .requestsTo(site)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt');

const domainIds = async (): Promise<number[]> =>
  (await database.db.query<{ id: number }>('select id from domains', [])).rows.map(({ id }) => id);

it('waves of tasks that come while domains are being given back are asked for once each', async () => {
  const sites = Array.from({ length: 40 }, (_, n) => `wave-${n}`);
  for (const site of sites) origin.site(site, { pages: { '/*': htmlPage('x') } });
  let fleet: FleetWorker | undefined;
  const run = runTestFleet({ db: database.db, prepare: (worker) => (fleet = worker) });
  const waves = 30;
  for (let wave = 0; wave < waves; wave += 1) {
    await plantTasks(
      database.db,
      sites.map((site) => origin.hostUrl(site, `/${wave}`)),
    );
    for (const id of await domainIds()) fleet?.worker?.noteTasks(id);
  }
  await run;
  const tasks = await readTasks(database.db);
  expect(tasks).toHaveLength(sites.length * waves);
  expect(tasks.every(({ status }) => status === 'completed')).toBe(true);
  const asked = sites.flatMap((site) => pathsAsked(site).map((path) => site + path));
  expect(asked).toHaveLength(new Set(asked).size);
}, 60_000);

it('tasks that come in the very moment in which a domain is given back are left for whoever has it next', async () => {
  origin.site('moment', { pages: { '/*': htmlPage('x') } });
  const urls = ['/0', '/1'].map((path) => origin.hostUrl('moment', path));
  await plantTasks(database.db, urls.slice(0, 1));
  let fleet: FleetWorker | undefined;
  const seen: { answer: string | undefined; statuses: readonly string[] }[] = [];
  // A session asks this when it has begun to give its domain back, and before it has done so.
  const db = beforeQuery('next-retry', async () => {
    if (seen.length > 0) return;
    await plantTasks(database.db, urls.slice(1));
    const [id = 0] = await domainIds();
    const answer = fleet?.worker?.noteTasks(id);
    seen.push({ answer, statuses: await statusesWhileLooking('queued') });
  });
  await runTestFleet({ db, settings: { maxDomains: 1 }, prepare: (worker) => (fleet = worker) });
  // It is not the worker's any more, who has no room for another: whoever sent the hint may ask somebody else.
  expect(seen).toEqual([{ answer: 'full', statuses: ['completed', 'queued'] }]);
  expect((await readTasks(database.db)).map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(pathsAsked('moment')).toEqual(['/0', '/1']);
}, 30_000);

/** The same database, where something happens before every query of this name. */
function beforeQuery(name: string, happens: () => Promise<void>): Database {
  const { db } = database;
  const query: Database['query'] = async (statement, values) => {
    if (typeof statement !== 'string' && statement.name === name) await happens();
    return db.query(statement, values);
  };
  return new Proxy(db, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) });
}

/** As they are after more questions to the database than a worker needs to take one, or when one is taken. */
async function statusesWhileLooking(untouched: string): Promise<string[]> {
  const look = async () => (await readTasks(database.db)).map(({ status }) => status);
  for (let looks = 0; looks < 50; looks += 1) if (!(await look()).includes(untouched)) break;
  return look();
}

it('what somebody cancels while it waits in a worker’s hands is not asked for', async () => {
  const pages = Array.from({ length: 12 }, (_, n) => `/${n}`);
  let asked = 0;
  // The worker has looked again at what it has in its hands.
  let noteDropped = (): void => undefined;
  const dropped = new Promise<void>((resolve) => {
    noteDropped = resolve;
  });
  origin.site('cancels', {
    pages: {
      '/*': async ({ response }) => {
        asked += 1;
        if (asked === 1) {
          await database.execute(
            "update crawl_tasks set status = 'cancelled', moved_by = 'person' where status = 'crawling' and url not like '%/0'",
          );
          await dropped;
        }
        response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('x'));
      },
    },
  });
  await plantTasks(
    database.db,
    pages.map((path) => origin.hostUrl('cancels', path)),
  );
  await runTestFleet({
    db: database.db,
    settings: { maxConcurrentPerDomain: 1 },
    prepare: (_worker, events) => void events.on('tasks:dropped', () => noteDropped()),
  });
  expect(pathsAsked('cancels')).toEqual(['/0']);
}, 30_000);

it('a page that is kept for a parser is not asked for again by the frontier', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'forager-left-'));
  const store = await openWarcStore(directory, { software: 'test', robots: 'obey' });
  origin.site('left', { pages: { '/': htmlPage('Home', ['/t']), '/t': htmlPage('T') } });
  await seedFleet(database.db, [origin.hostUrl('left', '/'), origin.hostUrl('left', '/t')]);
  await plantTasks(database.db, [origin.hostUrl('left', '/t')]);
  await runTestFleet({ db: database.db, store, settings: { isParsingLeft: true } });
  await store.close();
  await rm(directory, { recursive: true });
  expect((await readTasks(database.db)).map(({ status }) => status)).toEqual(['queued_parse']);
  expect(pathsAsked('left').toSorted()).toEqual(['/', '/t']);
});

it('a domain that is there for its tasks only and refuses ten of them is left alone for an hour, not for weeks', async () => {
  origin.site('refuses', { pages: { '/*': ({ response }) => void response.writeHead(403).end() } });
  await plantTasks(
    database.db,
    Array.from({ length: 15 }, (_, n) => origin.hostUrl('refuses', `/${n}`)),
  );
  await runTestFleet({ db: database.db, settings: { maxConcurrentPerDomain: 1, maxHoldMs: 1000 } });
  const { rows } = await database.db.query(
    `select status, block_reason_code, round(extract(epoch from next_crawl_after - forager_now()) / 60)::int as minutes
       from domains`,
    [],
  );
  expect(rows).toEqual([{ status: 'active', block_reason_code: 'forbidden', minutes: 60 }]);
});

it('an urgent task does not wait until a domain that fills the worker has had its turn', async () => {
  const links = Array.from({ length: 300 }, (_, n) => `/${n}`);
  origin.site('long', { pages: { '/*': htmlPage('x', links) } });
  origin.site('urgent', { pages: { '/*': htmlPage('x') } });
  await seedFleet(database.db, [origin.hostUrl('long', '/')]);
  let fleet: FleetWorker | undefined;
  const run = runTestFleet({
    db: database.db,
    settings: { maxDomains: 1, delayMs: 20 },
    prepare: (worker) => (fleet = worker),
  });
  await waitUntil(() => (pathsAsked('long').length > 3 ? true : undefined));
  await plantTasks(database.db, [{ url: origin.hostUrl('urgent', '/now'), priority: 1 }]);
  const id = Math.max(...(await domainIds()));
  await waitUntil(() => {
    fleet?.worker?.noteTasks(id, true);
    return pathsAsked('urgent').length > 0 ? true : undefined;
  });
  expect(pathsAsked('long').length).toBeLessThan(links.length);
  fleet?.stop();
  await run;
}, 30_000);
