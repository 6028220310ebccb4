/** Figures: what commits count is what is found, however it is added up and whenever somebody looks. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeCensus } from '../../src/control/stats/census.ts';
import { Figures } from '../../src/control/stats/figures.ts';
import { keepStats } from '../../src/control/stats/keep-stats.ts';
import { RateWindow } from '../../src/control/stats/rate-window.ts';
import { ageStats, rollUpStats } from '../../src/control/stats/roll-up.ts';
import { readSeries } from '../../src/control/stats/series.ts';
import { writeRunCounters } from '../../src/engine/ingest/write-counters.ts';
import { takeMinute } from '../../src/engine/upkeep/take-job.ts';
import { now } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { explain, readStatement } from '../support/crawl-plans.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

interface Counted {
  readonly tally: string;
  readonly count: number;
}

async function readAll(): Promise<Record<string, number>> {
  const { rows } = await database.db.query<Counted>(
    `select tally, sum(count)::bigint as count
       from (select tally, count from stats_totals
             union all select tally, count from stats_minutely where worker_id <> '') as c group by tally`,
  );
  return Object.fromEntries(rows.map(({ tally, count }) => [tally, count]));
}

async function readMinutes(condition = 'true'): Promise<Record<string, number>> {
  const { rows } = await database.db.query<Counted>(
    `select tally, sum(count)::bigint as count from stats_minutely where ${condition} group by tally`,
  );
  return Object.fromEntries(rows.map(({ tally, count }) => [tally, count]));
}

function commit(
  workerId: string,
  tallies: Readonly<Record<string, number>>,
  isUndone = false,
): Promise<void> {
  return inTransaction(database.db, async (tx) => {
    await tx.query("set local test.is_writer = 'on'");
    await writeRunCounters(tx, {
      context: { runId: 0, workerId, leaseMs: 1000, activeMs: 1 },
      ...{
        sums: new Map(),
        addedByDomain: new Map(),
        addedTemplates: new Map(),
        consecutiveErrors: new Map(),
      },
      ...{ restingUntil: new Map(), tallies: new Map(Object.entries(tallies)), addedCount: 0 },
    });
    if (isUndone) throw new Error('undone');
  });
}

describe('what a crawl counts', () => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin();
  });
  afterAll(() => origin.close());

  it('is in the figures as it is in the run, before and after it is added up', async () => {
    origin.site('counted', goodSite({ pages: 40, linksPerPage: 10 }));
    const { summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('counted', '/')] });
    const { pages, fetches, errors, bytes } = summary;
    expect(pages).toBe(40);
    const expected = { pages, fetches, bytes, 'status:200': 40, 'outcome:page': 40, urls: 39 };
    expect(await readAll()).toMatchObject(expected);
    expect((await readAll()).errors ?? 0).toBe(errors);
    expect((await readAll()).duration_ms).toBeGreaterThan(0);
    expect(await readMinutes("worker_id <> ''")).toMatchObject(expected);
    await advance(database, { minutes: 4 });
    await rollUpStats(database.db);
    expect(await readMinutes("worker_id <> ''")).toEqual({});
    expect(await readMinutes("worker_id = ''")).toMatchObject(expected);
    expect(await readAll()).toMatchObject(expected);
  });
});

describe('adding up', () => {
  it('loses and doubles nothing while workers write the very rows that are being added up', async () => {
    // To whoever adds up, what the writers write is ten minutes old the moment it is there.
    await database.execute(
      `create or replace function forager_now() returns timestamptz language sql stable parallel safe
         return case when current_setting('test.is_writer', true) = 'on' then now()
                     else now() + interval '10 minutes' end`,
    );
    let begun = 0;
    let committed = 0;
    let writing = 4;
    const write = async (worker: number): Promise<void> => {
      for (let round = 0; round < 60; round += 1) {
        const isUndone = (round + worker) % 5 === 0;
        if (!isUndone) begun += 3;
        await commit(`w${worker % 3}`, { 'skip:a': 3, 'skip:b': 1 }, isUndone).catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
        if (!isUndone) committed += 3;
      }
      writing -= 1;
    };
    let rollUps = 0;
    const addUp = async (): Promise<void> => {
      while (writing > 0) {
        await rollUpStats(database.db, 2);
        rollUps += 1;
      }
    };
    let looks = 0;
    const look = async (): Promise<void> => {
      while (writing > 0) {
        const lowest = committed;
        const found = (await readAll())['skip:a'] ?? 0;
        expect(found).toBeGreaterThanOrEqual(lowest);
        expect(found).toBeLessThanOrEqual(begun);
        looks += 1;
      }
    };
    await Promise.all([...[0, 1, 2, 3].map(write), addUp(), addUp(), look()]);
    expect(Math.min(rollUps, looks)).toBeGreaterThan(5);
    await rollUpStats(database.db);
    const total = committed;
    expect(total).toBe(4 * 48 * 3);
    expect(await readAll()).toEqual({ 'skip:a': total, 'skip:b': total / 3 });
    expect(await readMinutes()).toEqual({ 'skip:a': total, 'skip:b': total / 3 });
    expect(await readMinutes("worker_id <> ''")).toEqual({});
  });

  it('leaves the last two minutes to the workers', async () => {
    await commit('w', { 'skip:a': 1 });
    await rollUpStats(database.db);
    expect(await readMinutes("worker_id = 'w'")).toEqual({ 'skip:a': 1 });
  });

  it('counts what comes in late, for a minute that was added up already', async () => {
    await commit('w', { 'skip:a': 1 });
    await database.execute("update stats_minutely set minute = minute - interval '5 minutes'");
    await rollUpStats(database.db);
    await commit('w', { 'skip:a': 2 });
    await database.execute(
      "update stats_minutely set minute = minute - interval '5 minutes' where worker_id <> ''",
    );
    await rollUpStats(database.db);
    expect(await readAll()).toEqual({ 'skip:a': 3 });
  });

  it('is done by one of all processes in a minute, and again in the next', async () => {
    const { db } = database;
    const takers = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 6 }, () => takeMinute(db, 'minute')));
    const first = (await takers()).filter(Boolean).length;
    await advance(database, { minutes: 1 });
    const second = (await takers()).filter(Boolean).length;
    // The clock may pass a full minute in the middle of either.
    expect(first).toBeLessThanOrEqual(2);
    expect([first, second].every((count) => count >= 1)).toBe(true);
  });
});

describe('growing old', () => {
  async function plant(age: string, tally: string, count: number): Promise<void> {
    await database.execute(
      `insert into stats_minutely (minute, worker_id, tally, count)
       values (date_trunc('hour', now() - $1::interval, 'UTC') + interval '7 minutes', '', $2, $3),
              (date_trunc('hour', now() - $1::interval, 'UTC') + interval '9 minutes', '', $2, $3)`,
      [age, tally, count],
    );
  }

  it('makes one row an hour of minutes older than two days, without losing a count', async () => {
    await plant('3 days', 'pages', 5);
    await plant('80 hours', 'pages', 7);
    await plant('3 hours', 'pages', 2);
    await ageStats(database.db, 1);
    await ageStats(database.db, 1);
    const { rows } = await database.db.query<{ count: number; past: number }>(
      "select count, extract(epoch from minute - date_trunc('hour', minute))::int as past from stats_minutely order by minute",
    );
    expect(rows).toEqual([
      { count: 14, past: 0 },
      { count: 10, past: 0 },
      { count: 2, past: 420 },
      { count: 2, past: 540 },
    ]);
  });

  it('forgets what is older than 400 days, but not its total', async () => {
    await plant('401 days', 'pages', 5);
    await database.execute("insert into stats_totals values ('pages', 10)");
    await database.execute("insert into stats_gauges values (now() - interval '401 days', 'frontier', 3)");
    await ageStats(database.db);
    expect(await readMinutes()).toEqual({});
    expect(await readAll()).toEqual({ pages: 10 });
    expect((await database.db.query('select from stats_gauges')).rowCount).toBe(0);
  });

  it('makes the average of an hour of what was measured in it, and is done twice as well as once', async () => {
    await database.execute(
      `insert into stats_gauges (minute, gauge, value)
       select date_trunc('hour', now() - interval '3 days', 'UTC') + n * interval '1 minute', 'frontier', n * 10
         from generate_series(0, 4) as n
       union all
       select date_trunc('hour', now() - interval '4 days', 'UTC') + interval '30 minutes', 'workers', 6`,
    );
    const read = async (): Promise<object[]> =>
      (
        await database.db.query(
          `select gauge, value, minute = date_trunc('hour', minute, 'UTC') as "isHour" from stats_gauges order by gauge`,
        )
      ).rows;
    await ageStats(database.db);
    const expected = [
      { gauge: 'frontier', value: 20, isHour: true },
      { gauge: 'workers', value: 6, isHour: true },
    ];
    expect(await read()).toEqual(expected);
    await ageStats(database.db);
    expect(await read()).toEqual(expected);
  });
});

async function plantUrls(): Promise<void> {
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, status)
     values ('a.example', 'a.example', 'https://a.example', 'active'), ('b.example', 'b.example', 'https://b.example', 'pending')`,
  );
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority, state, retry_at)
     select d.id, sha256((d.domain || n)::bytea), 'https://' || d.domain || '/' || n, 1, 2,
            (case when n <= 2 then 'fetched' else 'never_crawled' end)::url_state,
            case n when 3 then forager_now() + interval '1 hour' when 4 then forager_now() - interval '1 hour' end
       from domains d, generate_series(1, 6) as n`,
  );
}

describe('the census', () => {
  it('tells what can be read now from what waits, and domains by state', async () => {
    await plantUrls();
    const census = await takeCensus(database.db);
    expect(census).toMatchObject({ due: 6, waiting: 2, leases: 0 });
    expect(census.domains).toEqual({ pending: 1, active: 1, exhausted: 0, blocked: 0, unreachable: 0 });
  });

  it('is written down every minute, and not while the last one was too expensive', async () => {
    await plantUrls();
    await keepStats(database.db);
    const read = async (): Promise<Record<string, number>> => {
      const { rows } = await database.db.query<{ gauge: string; value: number }>(
        'select gauge, value from stats_gauges where minute = (select max(minute) from stats_gauges)',
      );
      return Object.fromEntries(rows.map(({ gauge, value }) => [gauge, value]));
    };
    expect(await read()).toMatchObject({ frontier: 8, workers: 0, leases: 0, 'domains:active': 1 });
    await database.execute("update stats_gauges set value = 10000 where gauge = 'census_ms'");
    await advance(database, { minutes: 2 });
    await keepStats(database.db);
    expect(await read()).toEqual({ workers: 0 });
    await advance(database, { minutes: 10 });
    await keepStats(database.db);
    expect(await read()).toMatchObject({ frontier: 8 });
  });
});

describe('Figures', () => {
  it('asks the database once for however many ask at the same time', async () => {
    let questions = 0;
    const { db } = database;
    const watched = {
      ...db,
      url: db.url,
      query: ((statement, values) => {
        questions += 1;
        return db.query(statement, values);
      }) as typeof db.query,
    };
    const figures = new Figures({ db: watched, slowDb: watched });
    const answers = await Promise.all(Array.from({ length: 1000 }, () => figures.read()));
    expect(new Set(answers.map(({ json }) => json)).size).toBe(1);
    // Totals, activity, and the three of the census.
    expect(questions).toBe(5);
  });

  it('asks again after a question that failed', async () => {
    const { db } = database;
    let isBroken = true;
    const broken = {
      ...db,
      url: db.url,
      query: ((statement, values) =>
        isBroken ? Promise.reject(new Error('away')) : db.query(statement, values)) as typeof db.query,
    };
    const figures = new Figures({ db: broken, slowDb: db });
    await expect(figures.read()).rejects.toThrow('away');
    isBroken = false;
    expect((await figures.read()).stats.totals.pages).toBe(0);
  });

  it('touches as little with a year of hours and two days of minutes as with none', async () => {
    await database.execute(
      `insert into stats_minutely
       select date_trunc('hour', now(), 'UTC') - interval '1 day' - n * interval '10 minutes', '', 'tally:' || t, 1
         from generate_series(1, 5000) as n, generate_series(1, 20) as t`,
    );
    await commit('w', { pages: 1 });
    const client = await database.db.pool.connect();
    await client.query('set default_transaction_read_only = off; analyze stats_minutely');
    client.release(true);
    const statement = readStatement('../control/stats/read-figures.sql');
    const { buffers, scanned, text } = await explain(database, statement, []);
    expect(scanned, text).not.toContain('stats_minutely');
    expect(buffers, text).toBeLessThan(100);
  });

  it('adds up totals and what the workers have not handed over yet', async () => {
    await database.execute(
      "insert into stats_totals values ('pages', 100), ('fetches', 200), ('errors', 50)",
    );
    await commit('w', { pages: 20, fetches: 40, errors: 10, 'status:200': 20, 'skip:robots': 3 });
    const { stats } = await new Figures({ db: database.db, slowDb: database.db }).read();
    expect(stats.totals).toMatchObject({ pages: 120, fetches: 240, errors: 60, robotsDenials: 3 });
    expect(stats.successRate).toBe(0.75);
    expect(stats.statusCodes).toEqual({ 200: 20 });
    // Of the totals nothing is of the last minute.
    expect(stats.lastMinute.pages).toBeGreaterThan(0);
    expect(stats.lastMinute.pages).toBeLessThanOrEqual(20);
    expect(stats.rates.seconds).toBe(60);
  });
});

describe('rates', () => {
  const totals = (pages: number) => ({ pages, fetches: pages, errors: 0, bytes: 0, urls: 0 });

  it('are what was counted since a reading of a few seconds ago', () => {
    const window = new RateWindow();
    expect(window.add(0, totals(100))).toBeUndefined();
    expect(window.add(1000, totals(110))).toBeUndefined();
    expect(window.add(3000, totals(130))).toMatchObject({ seconds: 3, perSecond: { pages: 10 } });
    expect(window.add(9000, totals(190))).toMatchObject({ seconds: 6, perSecond: { pages: 10 } });
  });

  it('do not reach back to a reading that says nothing about now', () => {
    const window = new RateWindow();
    window.add(0, totals(0));
    expect(window.add(60_000, totals(1000))).toBeUndefined();
  });

  it('are never negative', () => {
    const window = new RateWindow();
    window.add(0, totals(100));
    expect(window.add(5000, totals(10))?.perSecond.pages).toBe(0);
  });
});

describe('a series', () => {
  it('has a value for every step: zero for what was not counted, null for what was not measured', async () => {
    const endMs = Math.floor(now().getTime() / 60_000) * 60_000;
    await database.execute(
      `insert into stats_minutely (minute, worker_id, tally, count)
       select $1::timestamptz - n * interval '1 minute', w, t, 10
         from unnest(array[1, 3]) as n, unnest(array['', 'w']) as w,
              unnest(array['pages', 'status:200', 'status:204', 'status:404', 'skip:robots']) as t`,
      [new Date(endMs)],
    );
    await database.execute(
      "insert into stats_gauges values ($1::timestamptz - interval '2 minutes', 'frontier', 7)",
      [new Date(endMs)],
    );
    const metrics = ['pages', 'status:2xx', 'status:404', 'robots_denials', 'outcome:timeout', 'frontier'];
    const { series, stepSeconds, from, to } = await readSeries(database.db, {
      ...{ metrics, from: new Date(endMs - 240_000), to: new Date(endMs), step: '1m' },
    });
    expect(stepSeconds).toBe(60);
    expect(to.getTime() - from.getTime()).toBe(240_000);
    expect(series.map(({ metric, values }) => [metric, ...values])).toEqual([
      ['pages', 0, 20, 0, 20],
      ['status:2xx', 0, 40, 0, 40],
      ['status:404', 0, 20, 0, 20],
      ['robots_denials', 0, 20, 0, 20],
      ['outcome:timeout', 0, 0, 0, 0],
      ['frontier', null, null, 7, null],
    ]);
  });
});
