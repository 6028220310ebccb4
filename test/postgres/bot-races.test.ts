/** Many bots at once, on connections of their own: limits hold exactly, nothing is lost, nobody waits in a circle. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BotOfKey } from '../../src/control/bots/bot-of-key.ts';
import { type Job, pullJobs } from '../../src/control/bots/pull-jobs.ts';
import { giveBackJobs, revokeBot } from '../../src/control/bots/release-locks.ts';
import type { Submission } from '../../src/control/bots/submission.ts';
import { submitResult } from '../../src/control/bots/submit-result.ts';
import { actOnTask } from '../../src/control/tasks/act-on-task.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { expireBotLocks } from '../../src/scheduler/expire-locks.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantJobs } from '../support/test-bots.ts';

const PLACES = 4;
const RULES = { maxPerDomain: 3, lockSeconds: 600, isCounted: true };
const actor = { name: 'test' };

let database: TestDatabase;
const places: Database[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  for (let n = 0; n < PLACES; n += 1) {
    places.push(await openDatabase(loadConfig({ databaseUrl: database.url, databasePoolSize: 5 }, {})));
  }
});
afterAll(async () => {
  for (const place of places) await place.close();
  await database.drop();
});
beforeEach(async () => {
  for (const table of ['crawl_tasks', 'bot_queues', 'crawl_policies', 'bots']) {
    await database.execute(`delete from ${table}`);
  }
});

const placeOf = (index: number): Database => places[index % PLACES] ?? database.db;
const found = ({ job_id, lock_token }: Job, botId: string): Submission => ({
  ...{ bot_id: botId, job_id, lock_token, success: true, price: 1, currency: 'USD' },
});

async function addBots(count: number, maxLocks = 1000): Promise<BotOfKey[]> {
  const bots: BotOfKey[] = [];
  for (let n = 0; n < count; n += 1) {
    const botId = `racer-${n}`;
    const { rows } = await database.execute<{ id: number }>(
      'insert into bots (bot_id, max_locks) values ($1, $2) returning id',
      [botId, maxLocks],
    );
    bots.push({ id: rows[0]?.id ?? 0, botId, domains: null });
  }
  return bots;
}

async function deadlocks(): Promise<number> {
  await database.execute('select pg_stat_force_next_flush()');
  const { rows } = await database.execute<{ count: number }>(
    'select deadlocks as count from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

test('twenty pulls at once: no domain has more under way than it may, no job is given twice', async () => {
  const bots = await addBots(20);
  await plantJobs(
    database,
    ['a', 'b'].flatMap((name) => Array.from({ length: 40 }, (_, n) => `https://${name}.example/${n}`)),
  );
  for (let round = 0; round < 8; round += 1) {
    const pulled = await Promise.all(
      bots.map(async (bot, index) => ({
        bot,
        jobs: (await pullJobs(placeOf(index), bot, { maxJobs: 5 }, RULES)).jobs,
      })),
    );
    const jobs = pulled.flatMap((one) => one.jobs);
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(jobs.length);
    const { rows } = await database.execute<{ count: number }>(
      "select count(*) from crawl_tasks where status = 'locked' group by domain_id",
    );
    expect(rows.map(({ count }) => count)).toEqual([3, 3]);
    await Promise.all(
      pulled.flatMap(({ bot, jobs: own }, index) =>
        own.map((job) =>
          submitResult({ db: placeOf(index), htmlKeeper: undefined }, bot, found(job, bot.botId)),
        ),
      ),
    );
  }
  const { rows } = await database.execute(
    `select count(*) filter (where t.status = 'completed')::int as done, count(r.id)::int as results
       from crawl_tasks t left join crawl_results r on r.task_id = t.id`,
  );
  expect(rows).toEqual([{ done: 48, results: 48 }]);
}, 60_000);

test('one bot that pulls twenty times at once holds no more than it may', async () => {
  const [bot] = await addBots(1, 4);
  if (bot === undefined) throw new Error('no bot');
  await plantJobs(
    database,
    Array.from({ length: 20 }, (_, n) => `https://own${n}.example/`),
  );
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => pullJobs(placeOf(n), bot, { maxJobs: 1 }, RULES)),
  );
  const given = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value.jobs : []));
  expect(given).toHaveLength(4);
  for (const one of outcomes) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'bot-quota' });
  }
});

test('what was locked for a bot that had hung up goes back without costing a retry', async () => {
  const [bot, other] = await addBots(2);
  if (bot === undefined || other === undefined) throw new Error('no bots');
  await plantJobs(database, ['https://gone.example/1', 'https://gone.example/2', 'https://gone.example/3']);
  const { jobs } = await pullJobs(database.db, bot, { maxJobs: 2 }, RULES);
  const kept = await pullJobs(database.db, other, { maxJobs: 1 }, RULES);
  // Only its own, and none that it has got again since.
  const older = jobs.map(({ task_id }) => ({ task_id, lock_token: '1' }));
  expect(await giveBackJobs(database.db, bot.botId, older)).toBe(0);
  expect(await giveBackJobs(database.db, bot.botId, [...jobs, ...kept.jobs])).toBe(2);
  const { rows } = await database.execute('select status, retry_count from crawl_tasks order by status');
  expect(rows).toEqual([
    { status: 'pending', retry_count: 0 },
    { status: 'pending', retry_count: 0 },
    { status: 'locked', retry_count: 0 },
  ]);
  expect((await pullJobs(database.db, other, { maxJobs: 5 }, RULES)).jobs).toHaveLength(2);
});

test('the same result handed in many times at once is written once, and answered the same', async () => {
  const [bot] = await addBots(1);
  if (bot === undefined) throw new Error('no bot');
  await plantJobs(database, ['https://twice.example/1']);
  const [job] = (await pullJobs(database.db, bot, { maxJobs: 1 }, RULES)).jobs;
  if (job === undefined) throw new Error('no job');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      submitResult({ db: placeOf(n), htmlKeeper: undefined }, bot, found(job, bot.botId)),
    ),
  );
  expect(new Set(answers.map(({ result_id }) => result_id)).size).toBe(1);
  const { rows } = await database.execute('select success_count from bots');
  expect(rows).toEqual([{ success_count: 1 }]);
});

test('pulls, results of policies, cancelling, expiry and revoking at once never wait in a circle', async () => {
  const before = await deadlocks();
  const bots = await addBots(12);
  await plantJobs(
    database,
    Array.from({ length: 6 }, (_, n) => `https://p${n}.example/other`),
  );
  await database.execute(
    `insert into crawl_policies (domain_id, url, url_hash, frequency_hours, executor)
     select d.id, 'https://' || d.domain || '/' || n, sha256((d.domain || n)::bytea), 24, 'bot'
       from domains d, generate_series(1, 30) n where d.domain like 'p_.example'`,
  );
  await database.execute(
    `with t as (
       insert into crawl_tasks (domain_id, url, url_hash, executor, policy_id, scheduled_at)
       select domain_id, url, url_hash, 'bot', id, now() from crawl_policies returning id, policy_id
     )
     update crawl_policies p set live_task_id = t.id from t where t.policy_id = p.id`,
  );
  let isOver = false;
  const expire = async (): Promise<void> => {
    while (!isOver) {
      // Some locks run out under their bots.
      await database.execute(
        `update crawl_tasks set locked_until = now() - interval '1 s'
          where id in (select id from crawl_tasks where status = 'locked' order by random() limit 2 for update skip locked)`,
      );
      await expireBotLocks({ db: placeOf(1) } as Parameters<typeof expireBotLocks>[0]).run(() => false);
    }
  };
  const cancel = async (): Promise<void> => {
    while (!isOver) {
      const { rows } = await database.execute<{ id: number }>(
        "select id from crawl_tasks where status = 'locked' order by random() limit 1",
      );
      const [task] = rows;
      if (task !== undefined) await actOnTask(placeOf(2), task.id, 'cancel', actor).catch(ignoreState);
    }
  };
  const work = async (bot: BotOfKey, index: number): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      const { jobs } = await pullJobs(placeOf(index), bot, { maxJobs: 4 }, RULES);
      await Promise.all(
        jobs.map((job) =>
          submitResult({ db: placeOf(index), htmlKeeper: undefined }, bot, {
            ...found(job, bot.botId),
            success: round % 3 !== 0,
          }).catch(ignoreState),
        ),
      );
    }
  };
  const [last, ...others] = bots;
  if (last === undefined) throw new Error('no bot');
  const side = [expire(), cancel()];
  await Promise.all([
    ...others.map(work),
    work(last, 0).catch((error: unknown) => expect(error).toMatchObject({ code: 'bot-revoked' })),
    revokeBot(placeOf(3), last.botId, actor),
  ]);
  isOver = true;
  await Promise.all(side);
  expect(await deadlocks()).toBe(before);
  const { rows } = await database.execute(
    `select count(*)::int as wrong from crawl_tasks t left join crawl_results r on r.task_id = t.id
      -- What is done can be cancelled afterwards.
      where case when r.id is null then t.status = 'completed' else t.status not in ('completed', 'cancelled') end`,
  );
  expect(rows).toEqual([{ wrong: 0 }]);
}, 120_000);

function ignoreState(error: unknown): void {
  expect(error).toMatchObject({
    code: expect.stringMatching(/^(?:lock-expired|wrong-state|bot-revoked|not-assigned)$/),
  });
}

async function letSecondsPass(seconds: number): Promise<void> {
  await database.execute(
    `update bot_queues set next_at = next_at - $1 * interval '1 second', pulled_at = pulled_at - $1 * interval '1 second'`,
    [seconds],
  );
}

test('however many urgent domains are full or rest, one behind them that is free gives its job', async () => {
  const [bot, other] = await addBots(2);
  if (bot === undefined || other === undefined) throw new Error('no bots');
  const names = Array.from({ length: 150 }, (_, n) => `full-${n}.example`);
  await plantJobs(
    database,
    names.flatMap((name) => [1, 2].map((n) => ({ url: `https://${name}/${n}`, priority: 1 }))),
  );
  await database.execute("update domains set is_active = (id % 2 = 0) where domain like 'full-%'");
  const rules = { ...RULES, maxPerDomain: 1 };
  for (;;) if ((await pullJobs(database.db, other, { maxJobs: 100 }, rules)).jobs.length === 0) break;
  await database.execute(
    "update bot_queues set next_at = forager_now() - interval '1 second', pulled_at = null",
  );
  await plantJobs(database, ['https://free.example/1']);
  const given: string[] = [];
  // Each looks at no more than 85 domains; time passes between them.
  for (let round = 0; round < 6 && given.length === 0; round += 1) {
    const { jobs } = await pullJobs(database.db, bot, { maxJobs: 1 }, rules);
    given.push(...jobs.map(({ domain }) => domain));
    await letSecondsPass(3);
  }
  expect(given).toEqual(['free.example']);
  const { rows } = await database.execute<{ count: number }>(
    "select count(*) from bot_queues where next_at < forager_now() + interval '1 minute'",
  );
  expect(rows[0]?.count).toBe(0);
});

test('a full domain is looked at again when a lock is freed, and soon where one is just being freed', async () => {
  const [bot] = await addBots(1);
  if (bot === undefined) throw new Error('no bot');
  await plantJobs(database, ['https://one.example/1', 'https://one.example/2', 'https://one.example/3']);
  const rules = { ...RULES, maxPerDomain: 1 };
  const { jobs } = await pullJobs(database.db, bot, { maxJobs: 1 }, rules);
  const secondsLeft = async (): Promise<number> => {
    const { rows } = await database.execute<{ left: number }>(
      'select extract(epoch from next_at - forager_now())::float8 as left from bot_queues',
    );
    return rows[0]?.left ?? Number.NaN;
  };
  expect(await secondsLeft()).toBeGreaterThan(500);
  const [job] = jobs;
  if (job === undefined) throw new Error('no job');
  await submitResult({ db: database.db, htmlKeeper: undefined }, bot, found(job, bot.botId));
  expect(await secondsLeft()).toBeLessThanOrEqual(0);
  const [second] = (await pullJobs(database.db, bot, { maxJobs: 1 }, rules)).jobs;
  await letSecondsPass(3600);
  await inTransaction(placeOf(0), async (tx) => {
    await tx.query("update crawl_tasks set status = 'completed', moved_by = 'test' where id = $1", [
      second?.task_id,
    ]);
    expect((await pullJobs(database.db, bot, { maxJobs: 1 }, rules)).jobs).toEqual([]);
  });
  expect(await secondsLeft()).toBeLessThan(3);
  await letSecondsPass(3);
  expect((await pullJobs(database.db, bot, { maxJobs: 1 }, rules)).jobs).toHaveLength(1);
});

test('a domain that bots may work on again gives its jobs at once', async () => {
  const [bot] = await addBots(1);
  if (bot === undefined) throw new Error('no bot');
  await plantJobs(database, ['https://woken.example/1']);
  const pull = () => pullJobs(database.db, bot, { maxJobs: 1 }, RULES);
  const change = (set: string) =>
    database.execute(`update domains set ${set} where domain = 'woken.example'`);
  const obstacles = [
    ['is_active = false', 'is_active = true'],
    ["next_crawl_after = forager_now() + interval '1 day'", 'next_crawl_after = null'],
    [
      "maintenance_start = '00:00', maintenance_end = '23:59:59', maintenance_timezone = 'UTC'",
      'maintenance_start = null, maintenance_end = null',
    ],
  ] as const;
  for (const [kept, freed] of obstacles) {
    await change(kept);
    expect((await pull()).jobs, kept).toEqual([]);
    await change(freed);
    const { jobs } = await pull();
    expect(jobs, freed).toHaveLength(1);
    await giveBackJobs(database.db, bot.botId, jobs);
  }
});

test('what is refused writes no page, and the same page sent at once many times is written once', async () => {
  const [bot] = await addBots(1);
  if (bot === undefined) throw new Error('no bot');
  await plantJobs(database, ['https://page.example/1']);
  const [job] = (await pullJobs(database.db, bot, { maxJobs: 1 }, RULES)).jobs;
  if (job === undefined) throw new Error('no job');
  const { rows: segments } = await database.execute<{ id: number }>(
    "insert into warc_segments (name) values ('page.warc.gz') returning id",
  );
  let written = 0;
  const htmlKeeper = {
    keep: async () => {
      written += 1;
      return { place: async () => ({ segmentId: segments[0]?.id ?? 0, offset: 0, length: 1 }) };
    },
    close: () => Promise.resolve(),
  };
  const parts = { db: database.db, htmlKeeper };
  const page = { ...found(job, bot.botId), raw_html: '<p>page</p>' };
  const tooLarge = { ...page, parsed_data: { text: 'x'.repeat(300_000) } };
  await expect(submitResult(parts, bot, tooLarge)).rejects.toMatchObject({ path: 'body.parsed_data' });
  expect(written).toBe(0);
  const answers = await Promise.all(Array.from({ length: 10 }, () => submitResult(parts, bot, page)));
  expect(new Set(answers.map(({ result_id }) => result_id)).size).toBe(1);
  expect(written).toBe(1);
});
