/** Weeks of cooldowns and automatic retries, by the real engine and a clock that moves when it is told to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import type { Resolver } from '../../src/engine/fetch/resolver.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage } from '../origin/site.ts';
import { readHistory, readState } from '../support/domain-history.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { advance, type Interval } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

/** Rests are written down, not waited for: time passes only when the test says so. */
const work = () => runTestFleet({ db: database.db, settings: { maxHoldMs: 0, maxRetries: 0 } });
const later = async (interval: Interval): Promise<void> => {
  await advance(database, interval);
  await work();
};
const status =
  (code: number): Handler =>
  ({ response }) =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end('<p>No.</p>');
const seed = (name: string): Promise<void> => seedFleet(database.db, [origin.hostUrl(name, '/')]);
const pageRequests = (name: string): number => origin.requestsTo(name, '/').length;

/** Four refusals with a rest in between each, then the fifth. */
async function throttleUntilBlocked(): Promise<void> {
  for (const seconds of [11, 21, 41, 81]) await later({ seconds });
}

describe('a site that answers 429 again and again', () => {
  it('rests for a week, is tried three times by itself, and then waits for a person', async () => {
    origin.site('busy', { pages: { '/': status(429) } });
    await seed('busy');
    await work();
    for (const attempt of [0, 1, 2, 3]) {
      expect(await readState(database.db, 'busy')).toMatchObject({ status: 'active', retries: attempt });
      await throttleUntilBlocked();
      const blocked = { status: 'blocked', code: 'rate_limited', restHours: 168, retries: attempt };
      expect(await readState(database.db, 'busy')).toMatchObject(blocked);
      const asked = pageRequests('busy');
      await later({ days: 6, hours: 23 });
      expect(pageRequests('busy')).toBe(asked);
      await later({ hours: 2 });
      expect(pageRequests('busy')).toBe(attempt < 3 ? asked + 1 : asked);
    }
    // The fourth rest has ended like the others, but nobody tries again.
    const given = { status: 'blocked', code: 'rate_limited', retries: 3, restHours: null };
    expect(await readState(database.db, 'busy')).toMatchObject(given);
    await later({ days: 400 });
    expect(await readState(database.db, 'busy')).toMatchObject(given);
    const round = [
      { move: 'pending>active', code: 'claimed', restHours: null },
      { move: 'active>blocked', code: 'rate_limited', restHours: 168 },
    ];
    const retry = { move: 'blocked>pending', code: 'cooldown_over', restHours: null };
    expect(await readHistory(database.db, 'busy')).toEqual([
      ...round,
      ...[retry, ...round],
      ...[retry, ...round],
      ...[retry, ...round],
    ]);
  });

  it('is tried again after a reset, and once it gives pages its earlier failures are forgotten', async () => {
    await resetDomain(database.db, origin.hostUrl('busy', '/'), {
      ...{ recrawl: false, actor: 'person:tester', requestTimeoutMs: 5000 },
    });
    origin.site('busy', { pages: { '/': htmlPage('Back') } });
    await later({ seconds: 30 });
    const exhausted = { status: 'exhausted', code: 'all_done', retries: 0, restHours: 14 * 24, pages: 1 };
    expect(await readState(database.db, 'busy')).toMatchObject(exhausted);
    expect((await readHistory(database.db, 'busy')).slice(-3)).toEqual([
      { move: 'blocked>pending', code: 'reset', restHours: null },
      { move: 'pending>active', code: 'claimed', restHours: null },
      { move: 'active>exhausted', code: 'all_done', restHours: 14 * 24 },
    ]);
  });
});

describe('a site that recovers between two tries', () => {
  it('is read to its end, and has all its tries again should it fail later', async () => {
    origin.site('wavering', { pages: { '/': status(403) } });
    await seed('wavering');
    await work();
    await later({ days: 14, hours: 1 });
    expect(await readState(database.db, 'wavering')).toMatchObject({ status: 'blocked', retries: 1 });
    origin.site('wavering', { pages: { '/': htmlPage('Open', ['/a']), '/a': htmlPage('A') } });
    await later({ days: 14, hours: 1 });
    expect(await readState(database.db, 'wavering')).toMatchObject({
      ...{ status: 'exhausted', retries: 0, pages: 2, restHours: 14 * 24 },
    });
    origin.site('wavering', { pages: { '/*': status(403) } });
    await later({ days: 14, hours: 1 });
    const blocked = { status: 'blocked', code: 'forbidden', retries: 0, restHours: 14 * 24, pages: 2 };
    expect(await readState(database.db, 'wavering')).toMatchObject(blocked);
  });
});

describe('a site that cannot be reached', () => {
  /** Names this web does not have until they are added. */
  const known = new Set<string>();
  const resolver: Resolver = {
    resolve: async (name) =>
      known.has(name)
        ? { kind: 'addresses', addresses: ['127.0.0.1'] }
        : { kind: 'not-found', message: `There is no ${name}.` },
    close: () => undefined,
  };
  const reach = async (): Promise<void> => {
    const fetcher = createTestFetcher({ resolver });
    await runTestFleet({ db: database.db, settings: { maxHoldMs: 0, maxRetries: 0 }, fetcher });
    await fetcher.close();
  };

  it('is looked for once a week, three times, and then no more until a person asks for it', async () => {
    await seedFleet(database.db, [`http://lost.example:${origin.port}/`]);
    await reach();
    for (const retries of [0, 1, 2, 3]) {
      const lost = { status: 'unreachable', code: 'dns_failure', restHours: 168, retries };
      expect(await readState(database.db, 'lost')).toMatchObject(lost);
      await advance(database, { days: 7, minutes: 1 });
      await reach();
    }
    const given = { status: 'unreachable', code: 'dns_failure', restHours: null, retries: 3 };
    expect(await readState(database.db, 'lost')).toMatchObject(given);
    known.add('lost.example');
    origin.site('lost.example', { pages: { '/': htmlPage('Found') } });
    await advance(database, { days: 30 });
    await reach();
    expect(await readState(database.db, 'lost')).toMatchObject(given);
    const name = `http://lost.example:${origin.port}/`;
    await resetDomain(database.db, name, { recrawl: false, actor: 'person:tester', requestTimeoutMs: 5000 });
    await advance(database, { minutes: 1 });
    await reach();
    expect(await readState(database.db, 'lost')).toMatchObject({ status: 'exhausted', retries: 0, pages: 1 });
  });
});

describe('a site whose robots.txt closes it', () => {
  it('is left alone for ninety days, then asked for robots.txt alone; opened, it is read', async () => {
    const pages = { '/': htmlPage('Home') };
    origin.site('closed', { pages, robots: 'User-agent: *\nDisallow: /\n' });
    await seed('closed');
    await work();
    const denied = { status: 'blocked', code: 'robots_denied', restHours: 90 * 24 };
    expect(await readState(database.db, 'closed')).toMatchObject({ ...denied, retries: 0 });
    await later({ days: 89 });
    expect(origin.requestsTo('closed').map(({ path }) => path)).toEqual(['/robots.txt']);
    await later({ days: 1, hours: 1 });
    expect(await readState(database.db, 'closed')).toMatchObject({ ...denied, retries: 1 });
    expect(origin.requestsTo('closed').map(({ path }) => path)).toEqual(['/robots.txt', '/robots.txt']);
    origin.site('closed', { pages });
    await later({ days: 90, hours: 1 });
    expect(await readState(database.db, 'closed')).toMatchObject({
      status: 'exhausted',
      retries: 0,
      pages: 1,
    });
  });
});

describe('the log of a program that was not at work for a month', () => {
  it('has a part for each day again, and what was written before there was one is kept', async () => {
    // The machine slept: the first fetches come before anybody has made a part for their day.
    origin.site('sleeper', { pages: { '/': htmlPage('Sleeper') } });
    await seed('sleeper');
    await work();
    await advance(database, { days: 30 });
    await database.execute(
      `insert into crawl_log (run_id, worker_id, domain_id, url_hash, url, fetched_at, outcome, attempt,
                              duration_ms, bytes_count)
       select 0, 'sleeper', id, '\\x00', 'http://sleeper/', forager_now(), 'page', 1, 1, 1
         from domains where starts_with(domain, 'sleeper.')`,
    );
    await work();
    await later({ days: 1 });
    const { rows } = await database.db.query<{ part: string; count: number }>(
      `select tableoid::regclass::text as part, count(*)::int as count from crawl_log
        where fetched_at > forager_now() - interval '2 days' group by 1 order by 1`,
    );
    expect(rows.map(({ part }) => part)).toContain('crawl_log_default');
    const tomorrow = await database.db.query<{ name: string }>(
      "select to_regclass(to_char(forager_now() + interval '1 day', '\"crawl_log_\"YYYYMMDD'))::text as name",
    );
    expect(tomorrow.rows[0]?.name).toMatch(/^crawl_log_\d{8}$/);
  });
});
