/** Worker processes that are asked to stop, or whose domain a person resets, with answers under way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { buildProgram, startProgram } from '../support/crawl-process.ts';
import { expectConsistent, readDomainRow, readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import {
  askedTwice,
  countHeld,
  countVisitsByWorker,
  expectGoodEnds,
  type FleetPlace,
  type FleetWeb,
  fleetPath,
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

const SITES = ['ending-0', 'ending-1', 'ending-2', 'ending-3'];
const PAGES = 15;
const DELAY_MS = 30;

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
    env: { FORAGER_DELAY_MS: String(DELAY_MS) },
  };
  web.origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => web.origin.close());

/** Sites whose pages are answered, the front page apart, only once the gate is open; returns what opens it. */
function plantSlowSites(): () => void {
  const gate = makeGate();
  for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES, until: gate.opened }));
  return gate.open;
}

const seeds = () => SITES.map((site) => web.origin.hostUrl(site, '/'));
const countAsked = () => SITES.reduce((sum, site) => sum + pagesAsked(web.origin, site).length, 0);
const awaitAsked = (count: number) => waitUntil(() => (countAsked() >= count ? true : undefined));
const readUrls = async () => (await readPageRows(database.db)).map(({ url }) => url);

describe('SIGTERM', () => {
  it('lets what is in flight end, commits it, gives every lease back and ends with exit code 0', async () => {
    const open = plantSlowSites();
    await seedFleet(place, seeds());
    const worker = startWorker(place, ['--id', 'asked']);
    // The front page of each, and one request that is not answered yet.
    await awaitAsked(SITES.length * 2);
    worker.child.kill('SIGTERM');
    await waitUntil(async () =>
      (await readWorkers(database.db)).some(({ state }) => state === 'draining') ? true : undefined,
    );
    expect(worker.stderr()).toContain('SIGTERM: finishing what is in flight; once more stops at once');
    expect(await countHeld(database.db, 'asked')).toBe(SITES.length);
    open();
    const [end] = await expectGoodEnds([worker]);
    expect(end?.stdout).toContain('Stopped; every domain was given back.');
    expect(await countVisitsByWorker(database.db)).toEqual(new Map([['asked', SITES.length * 2]]));
    expect(countAsked()).toBe(SITES.length * 2);
    expect(await readWorkers(database.db)).toMatchObject([
      { id: 'asked', state: 'stopped', domains_count: 0 },
    ]);
    await expectConsistent(database.db);

    await expectGoodEnds([startWorker(place, ['--id', 'next', '--until-idle'])]);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
    expect(askedTwice(web.origin, SITES)).toEqual([]);
    expect(web.findShortGaps(SITES, DELAY_MS)).toEqual([]);
  });

  it('given twice stops at once with exit code 130, and the next worker takes over without waiting for the leases', async () => {
    const open = plantSlowSites();
    await seedFleet(place, seeds());
    const worker = startWorker(place, ['--id', 'hurried']);
    await awaitAsked(SITES.length * 2);
    worker.child.kill('SIGTERM');
    await waitUntil(() => (worker.stderr().includes('once more stops at once') ? true : undefined));
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 130, signal: null });
    // Leases of half an hour.
    expect(await countHeld(database.db, 'hurried')).toBe(SITES.length);
    open();
    await expectGoodEnds([startWorker(place, ['--id', 'next', '--until-idle'])]);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
    await expectConsistent(database.db);
    expect(countAsked()).toBe(SITES.length * (PAGES + 1));
    expect(web.findShortGaps(SITES, DELAY_MS)).toEqual([]);
  });
});

describe('a reset of a domain that a worker process is at', () => {
  it('takes it away: nothing more is written about it, it rests, and then every page is there once', async () => {
    const [first = '', ...others] = SITES;
    for (const site of SITES) web.origin.site(site, fleetSite({ pages: PAGES, answerMs: 200 }));
    const env = { FORAGER_REQUEST_TIMEOUT_MS: '1000', FORAGER_LEASE_SECONDS: '30' };
    await seedFleet(place, seeds());
    const worker = startWorker(place, ['--id', 'surprised', '--until-idle'], env);
    await awaitAsked(SITES.length * 3);
    const domain = (await readDomainRow(database.db, first))?.domain ?? '';
    const resetAtMs = performance.now();
    const reset = await startProgram(['domain', 'reset', domain, '--json'], { ...place, env }).ended;
    expect(reset, reset.stderr).toMatchObject({ code: 0 });
    const { fencedWorker, restMs } = JSON.parse(reset.stdout) as { fencedWorker: string; restMs: number };
    expect(fencedWorker).toBe('surprised');
    const written = await countWritten(first);
    await waitUntil(() => (worker.stderr().includes(`${domain}: its lease is over`) ? true : undefined));
    const lostAtMs = performance.now();
    const [end] = await expectGoodEnds([worker]);
    expect(end?.stdout).toContain('Nothing is left to do.');
    // Whatever it did until it noticed was not written, and nobody came back before the rest was over.
    const later = web.origin.requestsTo(first).filter(({ atMs }) => atMs > lostAtMs);
    expect(later.filter(({ atMs }) => atMs < resetAtMs + restMs)).toEqual([]);
    expect(later.filter(({ path }) => path !== '/robots.txt')).toHaveLength(PAGES - written);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, SITES, PAGES));
    expect(askedTwice(web.origin, others)).toEqual([]);
    await expectConsistent(database.db);
    expect(web.findShortGaps(SITES, DELAY_MS)).toEqual([]);
  });

  it('and that comes back to the same worker, which had nothing to write meanwhile, is asked by one of the two sessions only', async () => {
    const [first = ''] = SITES;
    const delayMs = 10_000;
    web.origin.site(first, fleetSite({ pages: 3 }));
    const env = {
      ...{ FORAGER_DELAY_MS: String(delayMs), FORAGER_RESPECT_ROBOTS: 'false' },
      ...{ FORAGER_REQUEST_TIMEOUT_MS: '1000' },
    };
    await seedFleet(place, [web.origin.hostUrl(first, '/')]);
    const worker = startWorker(place, ['--id', 'patient', '--until-idle'], env);
    await waitUntil(async () => ((await countWritten(first)) === 1 ? true : undefined));
    // Nothing is written in between that would tell: it finds out by looking at its leases.
    await resetDomain(database.db, `${first}.localhost:${web.origin.port}`, {
      ...{ recrawl: false, actor: 'person:test', requestTimeoutMs: 1000 },
    });
    await waitUntil(async () =>
      (await readDomainRow(database.db, first))?.claimed_by === null ? true : undefined,
    );
    await waitUntil(async () =>
      (await readDomainRow(database.db, first))?.claimed_by === 'patient' ? true : undefined,
    );
    await expectGoodEnds([worker]);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, [first], 3));
    const asked = web.origin.requestsTo(first).map(({ path }) => path);
    expect(asked.sort()).toEqual([fleetPath(0), fleetPath(1), fleetPath(2)].sort());
    await expectConsistent(database.db);
    expect(web.findShortGaps([first], delayMs)).toEqual([]);
  }, 120_000);

  it('while a page was under way loses none of the links on that page', async () => {
    const [first = ''] = SITES;
    const gate = makeGate();
    const { pages } = fleetSite({ pages: 4 });
    const answer = pages['/*'];
    if (typeof answer !== 'function') throw new Error('A fleet site answers by a function.');
    web.origin.site(first, {
      pages: {
        ...pages,
        '/': async (exchange) => {
          if (exchange.visit === 1) await gate.opened();
          await answer(exchange);
        },
      },
    });
    await seedFleet(place, [web.origin.hostUrl(first, '/')]);
    const env = { FORAGER_REQUEST_TIMEOUT_MS: '10000', FORAGER_LEASE_SECONDS: '12' };
    const worker = startWorker(place, ['--id', 'forgetful', '--until-idle'], env);
    await web.origin.waitForRequest(({ site, path }) => site === first && path === '/');
    const { domain } = await resetDomain(database.db, `${first}.localhost:${web.origin.port}`, {
      ...{ recrawl: false, actor: 'person:test', requestTimeoutMs: 1000 },
    });
    await waitUntil(() => (worker.stderr().includes(`${domain}: its lease is over`) ? true : undefined));
    gate.open();
    await expectGoodEnds([worker]);
    expect(pagesAsked(web.origin, first).filter((asked) => asked === '/')).toHaveLength(2);
    expect(await readUrls()).toEqual(fleetUrls(web.origin, [first], 4));
    await expectConsistent(database.db);
  }, 120_000);

  async function countWritten(site: string): Promise<number> {
    const { rows } = await database.db.query<{ count: number }>(
      `select count(*)::int as count from crawl_log where url like $1`,
      [`http://${site}.%`],
    );
    return rows[0]?.count ?? 0;
  }
});
