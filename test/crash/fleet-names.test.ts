/** What a worker process says to a name that is taken, settings that cannot be, a database that is not there or empty. */
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram, startProgram } from '../support/crawl-process.ts';
import { expectConsistent, readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import {
  askedTwice,
  countHeld,
  expectGoodEnds,
  type FleetPlace,
  type FleetWeb,
  fleetSite,
  fleetUrls,
  makeGate,
  pagesAsked,
  readWorkers,
  seedFleet,
  startFleetWeb,
  startWorker,
} from '../support/fleet.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const SITES = ['named-0', 'named-1', 'named-2'];
const PAGES = 20;

let web: FleetWeb;
let database: TestDatabase;
let place: FleetPlace;
beforeAll(async () => {
  await buildProgram();
  web = await startFleetWeb();
});
beforeEach(async () => {
  database = await createTestDatabase();
  place = {
    ...{ dataDir: await temporaryDirectory(), databaseUrl: database.url },
    env: { FORAGER_DELAY_MS: '50', FORAGER_MAX_DOMAINS: String(SITES.length) },
  };
  web.origin.forgetRequests();
  for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES }));
  return () => database.drop();
});
afterAll(() => web.origin.close());

const seeds = () => SITES.map((site) => web.origin.hostUrl(site, '/'));
const countAsked = () => SITES.reduce((sum, site) => sum + pagesAsked(web.origin, site).length, 0);
const awaitAsked = (count: number) => waitUntil(() => (countAsked() >= count ? true : undefined));
const readUrls = async () => (await readPageRows(database.db)).map(({ url }) => url);

/** The worker of this name seems to be on another machine, and was last heard of so long ago. */
async function placeElsewhere(id: string, silentSeconds: number): Promise<void> {
  await database.execute(
    `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version, heartbeat_at)
     values ($1, 'x', 'worker', 'elsewhere', 'm', 77, '-.-.-', '0', now() - $2::int * interval '1 second')
     on conflict (id) do update set host = excluded.host, heartbeat_at = excluded.heartbeat_at`,
    [id, silentSeconds],
  );
}

describe('the name of a worker', () => {
  it('that another one goes by is refused with one sentence, and the other one is not disturbed', async () => {
    const gate = makeGate();
    for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES, until: gate.opened }));
    await seedFleet(place, seeds());
    const first = startWorker(place, ['--id', 'twin', '--until-idle']);
    await awaitAsked(SITES.length * 2);
    const second = await startWorker(place, ['--id', 'twin', '--until-idle']).ended;
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(
      new RegExp(`A worker named twin is at work already \\(host ${hostname()}, process ${first.pid}, `),
    );
    expect(second.stderr).not.toMatch(/\n\s+at /);
    gate.open();
    const [end] = await expectGoodEnds([first]);
    expect(end?.stderr).not.toContain('taken over');
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
    expect(askedTwice(web.origin, SITES)).toEqual([]);
    await expectConsistent(database.db);
  });

  it('is free at once when its worker was killed on this machine, and so is what that one held', async () => {
    await seedFleet(place, seeds());
    const first = startWorker(place, ['--id', 'twin']);
    await awaitAsked(10);
    await first.kill();
    expect(await countHeld(database.db, 'twin')).toBe(SITES.length);
    await expectGoodEnds([startWorker(place, ['--id', 'twin', '--until-idle'])]);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
    await expectConsistent(database.db);
  });

  it('of a worker on another machine is free after two minutes of silence, and not before', async () => {
    await seedFleet(place, seeds());
    await placeElsewhere('far', 90);
    const early = await startWorker(place, ['--id', 'far', '--until-idle']).ended;
    expect(early).toMatchObject({ code: 1 });
    expect(early.stderr).toMatch(
      /A worker named far is at work already \(host elsewhere, process 77, heard of /,
    );
    await placeElsewhere('far', 121);
    await expectGoodEnds([startWorker(place, ['--id', 'far', '--until-idle'])]);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
  });

  it('that was given to another ends the one that had it, which leaves its successor alone', async () => {
    const gate = makeGate();
    for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES, until: gate.opened }));
    await seedFleet(place, seeds());
    const env = { FORAGER_REQUEST_TIMEOUT_MS: '4000', FORAGER_LEASE_SECONDS: '6', FORAGER_MAX_RETRIES: '50' };
    const first = startWorker(place, ['--id', 'twin'], env);
    await awaitAsked(SITES.length * 2);
    await placeElsewhere('twin', 200);
    const second = startWorker(place, ['--id', 'twin', '--until-idle'], {
      ...env,
      FORAGER_LEASE_SECONDS: '60',
    });
    const end = await first.ended;
    expect(end).toMatchObject({ code: 1, signal: null });
    expect(end.stderr).toContain('Another worker goes by the name twin now; this one ends.');
    expect(end.stderr).not.toMatch(/\n\s+at /);
    gate.open();
    const [heir] = await expectGoodEnds([second]);
    expect(heir?.stderr).not.toContain('taken over');
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
    await expectConsistent(database.db);
    expect(await readWorkers(database.db)).toMatchObject([{ id: 'twin', state: 'stopped', pid: second.pid }]);
  });
});

describe('a lease no longer than a request may take', () => {
  it.each([['worker'], ['crawl', 'http://named-0.localhost/']])(
    'is refused by %s, with both settings named',
    async (...args) => {
      const env = { FORAGER_LEASE_SECONDS: '3', FORAGER_REQUEST_TIMEOUT_MS: '3000' };
      const end = await startProgram(args, { ...place, env }).ended;
      expect(end).toMatchObject({ code: 1, stdout: '' });
      expect(end.stderr).toMatch(
        /A lease of 3 s \(FORAGER_LEASE_SECONDS\) is no longer than a request may take, 3 s \(FORAGER_REQUEST_TIMEOUT_MS\)/,
      );
      expect(await readWorkers(database.db)).toEqual([]);
    },
  );
});

describe('a worker whose database', () => {
  it('cannot be reached when it starts says so in one sentence and ends with exit code 1', async () => {
    const nowhere = { ...place, databaseUrl: 'postgres://forager:secret@127.0.0.1:1/forager' };
    const end = await startWorker(nowhere, ['--until-idle']).ended;
    expect(end).toMatchObject({ code: 1, stdout: '' });
    expect(end.stderr).toMatch(
      /The database of DATABASE_URL cannot be reached \(host 127\.0\.0\.1, port 1, /,
    );
    expect(end.stderr).not.toMatch(/secret|\n\s+at /);
  });

  it('has nothing in it ends at once with --until-idle, and waits for work without', async () => {
    const idle = await startWorker(place, ['--until-idle', '--json']).ended;
    expect(idle, idle.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(idle.stdout)).toMatchObject({ reason: 'idle', pages: 0, fetches: 0, domains: 0 });
    const waiting = startWorker(place, ['--id', 'patient', '--json']);
    await waitUntil(async () => (await readWorkers(database.db)).find(({ id }) => id === 'patient'));
    await seedFleet(place, seeds());
    await waitUntil(async () => ((await readUrls()).length === SITES.length * PAGES ? true : undefined));
    expect(waiting.hasEnded()).toBe(false);
    waiting.child.kill('SIGTERM');
    const [end] = await expectGoodEnds([waiting]);
    expect(JSON.parse(end?.stdout ?? '')).toMatchObject({ reason: 'stopped', pages: SITES.length * PAGES });
    await expectConsistent(database.db);
  });
});
