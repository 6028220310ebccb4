/** Worker processes that are killed, frozen, cut off from their database, and how the fleet goes on without help. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placeServer } from '../../src/platform/embedded/placement.ts';
import { readPostmasterFile } from '../../src/platform/embedded/postmaster-file.ts';
import { isProcessAlive } from '../../src/platform/process-identity.ts';
import { holdLock, mostUncommitted } from '../support/crawl-crash.ts';
import { awaitLockWait, buildProgram, type CrawlProcess, joinEmbedded } from '../support/crawl-process.ts';
import { expectConsistent, readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import {
  countHeld,
  countVisitsByWorker,
  expectGoodEnds,
  type FleetPlace,
  type FleetWeb,
  fleetSite,
  fleetUrls,
  freeze,
  pagesAsked,
  readWorkers,
  seedFleet,
  startFleetWeb,
  startWorker,
} from '../support/fleet.ts';
import { makeRandom } from '../support/make-random.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PAGES = 40;
const DELAY_MS = 40;
const BATCH_PAGES = 10;
const SITES = Array.from({ length: 12 }, (_, n) => `faulty-${n}`);
const WORKERS = ['ant', 'bee', 'cat'];

let web: FleetWeb;
let database: TestDatabase;
let place: FleetPlace;
beforeAll(async () => {
  await buildProgram();
  web = await startFleetWeb();
});
beforeEach(async () => {
  database = await createTestDatabase();
  place = placeAt(await temporaryDirectory(), database.url);
  web.origin.forgetRequests();
  for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES, answerMs: 15 }));
  return () => database.drop();
});
afterAll(() => web.origin.close());

function placeAt(dataDir: string, databaseUrl: string): FleetPlace {
  const env = {
    FORAGER_LEASE_SECONDS: '3',
    FORAGER_REQUEST_TIMEOUT_MS: '2000',
    FORAGER_DELAY_MS: String(DELAY_MS),
    FORAGER_BATCH_PAGES: String(BATCH_PAGES),
    FORAGER_MAX_PAGES_PER_RUN: '15',
    FORAGER_MAX_DOMAINS: '4',
  };
  return { dataDir, databaseUrl, env };
}

const seeds = () => SITES.map((site) => web.origin.hostUrl(site, '/'));
const countAsked = () => SITES.reduce((sum, site) => sum + pagesAsked(web.origin, site).length, 0);
const awaitAsked = (count: number) => waitUntil(() => (countAsked() >= count ? true : undefined));

/** Every page is there once, nothing was written twice, and only what was uncommitted was asked for again. */
async function expectWhole(db: TestDatabase['db'], faults: number): Promise<void> {
  expect((await readPageRows(db)).map(({ url }) => url)).toEqual(fleetUrls(web.origin, SITES, PAGES));
  await expectConsistent(db);
  expect((await readWorkers(db)).filter(({ state }) => state !== 'stopped')).toEqual([]);
  expect(countAsked() - SITES.length * PAGES).toBeLessThanOrEqual(faults * mostUncommitted(BATCH_PAGES, 4));
  expect(web.findShortGaps(SITES, DELAY_MS)).toEqual([]);
}

describe('workers killed at random', () => {
  it('and started again lose no page and write none twice; what a killed one held is taken over at once', async () => {
    await seedFleet(place, seeds());
    const start = (id: string) => startWorker(place, ['--id', id, '--until-idle']);
    const running = new Map(WORKERS.map((id) => [id, start(id)]));
    const random = makeRandom(20_270_211);
    const kills = 8;
    for (let kill = 1; kill <= kills; kill += 1) {
      const wanted = kill * 35 + Math.floor(random() * 20);
      await waitUntil(() => {
        for (const worker of running.values()) if (worker.hasEnded()) throw new Error(worker.stderr());
        return countAsked() >= wanted ? true : undefined;
      });
      const id = WORKERS[Math.floor(random() * WORKERS.length)] ?? '';
      const end = await running.get(id)?.kill();
      expect(end, end?.stderr).toMatchObject({ signal: 'SIGKILL' });
      // Under the same name: its process is known to be gone, so nobody else has it.
      running.set(id, start(id));
    }
    await expectGoodEnds([...running.values()]);
    await expectWhole(database.db, kills);
  }, 180_000);
});

describe('a worker that is frozen for longer than its lease', () => {
  it('finds its domains taken, writes nothing and asks nothing about them, and works on what is left', async () => {
    for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES, answerMs: 150 }));
    await seedFleet(place, seeds());
    const all = { FORAGER_MAX_DOMAINS: '50', FORAGER_MAX_PAGES_PER_RUN: '1000' };
    const zombie = startWorker(place, ['--id', 'zombie'], all);
    await waitUntil(async () =>
      (await countHeld(database.db, 'zombie')) === SITES.length && countAsked() >= 40 ? true : undefined,
    );
    const thaw = await freezeBetweenCommits(zombie);
    // Answers to what it had asked for arrive while it is frozen: it finds them when it wakes up.
    const [asked, written] = [countAsked(), (await countVisitsByWorker(database.db)).get('zombie') ?? 0];
    expect(asked).toBeGreaterThan(written);
    // One that hands nothing over: what the frozen one has afterwards, it has not got from here.
    const heir = startWorker(place, [], { ...all, ENABLE_CLAIM_PROTOCOL: 'false' });
    await waitUntil(async () =>
      (await countHeld(database.db, 'zombie')) === 0 && countAsked() >= asked + 20 ? true : undefined,
    );
    const before = { asked: countAsked(), requests: web.origin.requests.length };
    thaw();
    await waitUntil(() => (isToldLost(zombie) ? true : undefined));
    // It works again: on something new.
    web.origin.site('fresh', fleetSite({ pages: 5 }));
    await seedFleet(place, [web.origin.hostUrl('fresh', '/')]);
    await waitUntil(async () =>
      (await readPageRows(database.db)).length === SITES.length * PAGES + 5 ? true : undefined,
    );
    for (const worker of [zombie, heir]) worker.child.kill('SIGTERM');
    await expectGoodEnds([zombie, heir]);

    const { rows } = await database.db.query<{ domain: string; count: number }>(
      `select d.domain, count(*)::int as count from crawl_log l join domains d on d.id = l.domain_id
        where l.worker_id = 'zombie' group by d.domain`,
    );
    const ofOld = rows.filter(({ domain }) => domain.startsWith('faulty'));
    expect(ofOld.reduce((sum, { count }) => sum + count, 0)).toBe(written);
    const all5 = (await readPageRows(database.db)).map(({ url }) => url);
    expect(all5).toEqual(
      [...fleetUrls(web.origin, SITES, PAGES), ...fleetUrls(web.origin, ['fresh'], 5)].sort(),
    );
    await expectConsistent(database.db);
    // Nothing is asked twice but what the frozen one had asked for and not written. A request of each domain may
    // have been on its way when those that had arrived were counted.
    const askedTwice = countAsked() - SITES.length * PAGES;
    expect(askedTwice).toBeGreaterThanOrEqual(asked - written);
    expect(askedTwice).toBeLessThanOrEqual(asked - written + SITES.length);
    expect(before.asked).toBeGreaterThan(asked);
    expect(web.findShortGaps(SITES, DELAY_MS)).toEqual([]);
  }, 180_000);

  it('and had nobody beside it goes on with what it had, and asks for nothing a second time', async () => {
    const delayMs = 400;
    await seedFleet(place, seeds());
    const env = { FORAGER_MAX_DOMAINS: '50', FORAGER_MAX_PAGES_PER_RUN: '1000' };
    const worker = startWorker(place, ['--id', 'alone', '--until-idle'], {
      ...env,
      FORAGER_DELAY_MS: String(delayMs),
    });
    const countWritten = async () => (await countVisitsByWorker(database.db)).get('alone') ?? 0;
    await awaitAsked(40);
    // All of its domains wait for their delay to pass: nothing is in flight.
    await waitUntil(async () => ((await countWritten()) === countAsked() ? true : undefined));
    const thaw = await freezeBetweenCommits(worker);
    const uncommitted = countAsked() - (await countWritten());
    await waitUntil(async () => {
      const { rows } = await database.db.query<{ are_over: boolean }>(
        'select bool_and(claim_expires_at < now()) as are_over from domains',
      );
      return rows[0]?.are_over === true ? true : undefined;
    });
    thaw();
    await expectGoodEnds([worker]);
    expect(countAsked() - SITES.length * PAGES).toBeLessThanOrEqual(uncommitted);
    expect((await readPageRows(database.db)).map(({ url }) => url)).toEqual(
      fleetUrls(web.origin, SITES, PAGES),
    );
    await expectConsistent(database.db);
    expect(web.findShortGaps(SITES, delayMs)).toEqual([]);
  }, 180_000);

  it('in the very middle of a commit does not keep its domains for ever', async () => {
    await seedFleet(place, seeds());
    const zombie = startWorker(place, ['--id', 'zombie']);
    const countWritten = async () => (await countVisitsByWorker(database.db)).get('zombie') ?? 0;
    await waitUntil(async () => ((await countWritten()) > 0 ? true : undefined));
    const release = await holdLock(database.db, 'lock table crawl_log in share mode');
    const written = await countWritten();
    expect(await awaitLockWait(database.db, `forager ${zombie.pid}`)).toContain('insert into crawl_log');
    const thaw = freeze(zombie);
    // Its statement is done now and nobody says what comes next: its domains stay locked, lease or no lease.
    await release();
    await expectGoodEnds([startWorker(place, ['--id', 'heir', '--until-idle'])]);
    thaw();
    await waitUntil(() => (zombie.stderr().includes('The database is back; going on.') ? true : undefined));
    zombie.child.kill('SIGTERM');
    await expectGoodEnds([zombie]);
    await expectWhole(database.db, 1);
    expect(await countWritten()).toBe(written);
  }, 180_000);
});

function isToldLost(worker: CrawlProcess): boolean {
  return SITES.every((site) => worker.stderr().includes(`${site}.localhost`));
}

/** Frozen with nothing begun at the database, and whatever it had sent there done. */
function freezeBetweenCommits(worker: CrawlProcess): Promise<() => void> {
  return waitUntil(async () => {
    const thaw = freeze(worker);
    const states = await waitUntil(() => readConnectionStates(worker));
    if (states.every((state) => state === 'idle')) return thaw;
    thaw();
    return undefined;
  });
}

/** Undefined while one of them is at work on a statement. */
async function readConnectionStates(worker: CrawlProcess): Promise<string[] | undefined> {
  const { rows } = await database.db.query<{ state: string }>(
    'select state from pg_stat_activity where application_name like $1',
    [`forager ${worker.pid}%`],
  );
  return rows.some(({ state }) => state === 'active') ? undefined : rows.map(({ state }) => state);
}

describe('a database', () => {
  it('whose connections are cut again and again costs every worker time and nothing else', async () => {
    await seedFleet(place, seeds());
    const workers = WORKERS.map((id) => startWorker(place, ['--id', id, '--until-idle']));
    const cuts = 5;
    for (let cut = 1; cut <= cuts; cut += 1) {
      await awaitAsked(cut * 60);
      await database.execute(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await expectGoodEnds(workers);
    await expectWhole(database.db, cuts * WORKERS.length);
  }, 180_000);

  it('that stops at once under load and comes back later finds every worker waiting for it', async () => {
    const dataDir = await temporaryDirectory();
    let db = await joinEmbedded(dataDir);
    const own = placeAt(dataDir, db.url);
    await seedFleet(own, seeds());
    const workers = WORKERS.map((id) => startWorker(own, ['--id', id, '--until-idle']));
    const stops = 2;
    for (let stop = 1; stop <= stops; stop += 1) {
      await awaitAsked(stop * 120);
      const postmaster = await findPostmaster(dataDir);
      // We leave first: a guest would bring the server back at once.
      await db.close();
      process.kill(postmaster, 'SIGQUIT');
      await waitUntil(() => (isProcessAlive(postmaster) ? undefined : true));
      await waitUntil(() =>
        workers.every((worker) => countMatches(worker.stderr(), /Waiting for it to come back/g) >= stop)
          ? true
          : undefined,
      );
      db = await joinEmbedded(dataDir);
    }
    const ends = await expectGoodEnds(workers);
    for (const { stderr } of ends) expect(stderr).toContain('The database is back; going on.');
    await expectWhole(db, stops * WORKERS.length);
    await db.close();
  }, 240_000);
});

async function findPostmaster(dataDir: string): Promise<number> {
  const { clusterDir } = await placeServer(dataDir);
  const file = await readPostmasterFile(clusterDir);
  if (file?.isRunning !== true) throw new Error(`No server runs in ${clusterDir}.`);
  return file.pid;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
