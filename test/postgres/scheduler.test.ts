/** What a tick of the scheduler does. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { WorkHint } from '../../src/distribution/distribution.ts';
import { loadSql } from '../../src/platform/sql-file.ts';
import { findDueTasks } from '../../src/scheduler/queue-due-tasks.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import {
  hashOf,
  moveTask,
  plantDomain,
  plantPolicy,
  plantTask,
  readHistory,
  readRow,
  tick,
} from '../support/scheduling.ts';

const readNextDue = loadSql(import.meta.url, '../../src/scheduler/read-next-due.sql');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

async function statusesOf(...ids: readonly number[]): Promise<unknown[]> {
  return Promise.all(
    ids.map(async (id) => (await readRow<{ status: string }>(database, 'crawl_tasks', id)).status),
  );
}

describe('tasks that are due', () => {
  test('are queued, and those of tomorrow, of bots, or waiting for a parent are not', async () => {
    const domain = await plantDomain(database, 'a.example');
    const due = await plantTask(database, domain, { scheduled_at: inMinutes(-1) });
    const later = await plantTask(database, domain, { scheduled_at: inMinutes(5) });
    const ofBot = await plantTask(database, domain, { scheduled_at: inMinutes(-1), executor: 'bot' });
    const waiting = await plantTask(database, domain, {
      ...{ scheduled_at: inMinutes(-1), is_waiting: true, parent_task_id: later },
    });
    const hints: WorkHint[] = [];
    const report = await tick(database, hints);
    expect(await statusesOf(due, later, ofBot, waiting)).toEqual(['queued', 'pending', 'pending', 'pending']);
    expect(report).toMatchObject({ counts: { queued: 1 }, isMore: false, isHeldUp: false });
    expect(hints).toEqual([{ kind: 'crawl', domainId: domain, taskIds: [due], priority: 5 }]);
    expect(await readHistory(database, due)).toEqual(['>pending by system', 'pending>queued by scheduler']);
    expect(await readRow(database, 'domains', domain)).toMatchObject({ task_priority: 5, status: 'pending' });
  });

  test('of bots give it nothing to do, and nothing to wake for, until a lock runs out', async () => {
    const domain = await plantDomain(database, 'a.example');
    const nextDue = async () => (await database.db.query<{ inMs: number | null }>(readNextDue)).rows[0]?.inMs;
    const job = await plantTask(database, domain, { scheduled_at: inMinutes(-1), executor: 'bot' });
    await plantTask(database, domain, { scheduled_at: inMinutes(1), executor: 'bot' });
    expect(await tick(database)).toEqual(
      expect.objectContaining({ counts: {}, isMore: false, isHeldUp: false, hasFailed: false }),
    );
    expect(await nextDue()).toBeNull();
    await database.execute(
      "update crawl_tasks set status = 'locked', locked_by = 'b', locked_until = forager_now() + interval '5 min' where id = $1",
      [job],
    );
    expect(await nextDue()).toBeGreaterThan(60_000);
    await advance(database, { minutes: 6 });
    expect((await tick(database)).counts).toEqual({ 'bot locks expired': 1 });
    expect(await statusesOf(job)).toEqual(['pending']);
    expect(await nextDue()).toBeNull();
  });

  test('of a batch that was paused while they were made are paused with it', async () => {
    const domain = await plantDomain(database, 'a.example');
    await database.execute("insert into crawl_batches (name, paused_at) values ('b', forager_now())");
    const task = await plantTask(database, domain, { scheduled_at: inMinutes(-1), batch_id: 1 });
    const other = await plantTask(database, domain, { scheduled_at: inMinutes(-1) });
    await tick(database);
    expect(await statusesOf(task, other)).toEqual(['paused', 'queued']);
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({ move_reason: 'batch paused' });
  });

  test('go by priority and then by schedule', async () => {
    const domain = await plantDomain(database, 'a.example');
    const plan = [
      { priority: 5, scheduled_at: inMinutes(-50) },
      { priority: 1, scheduled_at: inMinutes(-1) },
      { priority: 5, scheduled_at: inMinutes(-60) },
      { priority: 10, scheduled_at: inMinutes(-90) },
      { priority: 1, scheduled_at: inMinutes(-2) },
    ];
    const ids: number[] = [];
    for (const columns of plan) ids.push(await plantTask(database, domain, columns));
    const find = async (limit: number, after: readonly unknown[]): Promise<number[]> =>
      (await database.db.query<{ id: number }>(findDueTasks, [limit, [], ...after])).rows.map(({ id }) => id);
    expect(await find(1, [1, '-infinity', 0])).toEqual([ids[4]]);
    expect(await find(9, [1, '-infinity', 0])).toEqual([4, 1, 2, 0, 3].map((n) => ids[n]));
    // The next portion goes on where the one before ended, in the middle of a priority too.
    expect(await find(2, [5, plan[2]?.scheduled_at, ids[2]])).toEqual([ids[0], ids[3]]);
    const hints: WorkHint[] = [];
    await tick(database, hints);
    // One hint for the domain, as urgent as the most urgent of its tasks.
    expect(hints).toMatchObject([{ priority: 1, taskIds: [1, 4, 0, 2, 3].map((n) => ids[n]) }]);
    expect(await readRow(database, 'domains', domain)).toMatchObject({ task_priority: 1 });
  });

  test('wake a domain that had nothing left to do, and leave one in its cooldown alone', async () => {
    const done = await plantDomain(database, 'done.example', {
      ...{ status: 'exhausted', next_crawl_after: inMinutes(9999), run_id: 0 },
    });
    const blocked = await plantDomain(database, 'blocked.example', {
      ...{ status: 'blocked', next_crawl_after: inMinutes(9999) },
    });
    const tasks = [await plantTask(database, done, { priority: 3 }), await plantTask(database, blocked)];
    await tick(database);
    expect(await statusesOf(...tasks)).toEqual(['queued', 'queued']);
    expect(await readRow(database, 'domains', done)).toMatchObject({
      ...{ status: 'pending', status_code: 'task_due', next_crawl_after: null, task_priority: 3 },
    });
    expect(await readRow(database, 'domains', blocked)).toMatchObject({
      ...{ status: 'blocked', next_crawl_after: expect.any(Date), task_priority: 5 },
    });
  });

  test('are queued once, by two that take themselves for the leader at the same time', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const domain = await plantDomain(database, `d${n}.example`);
      for (let m = 0; m < 10; m += 1) ids.push(await plantTask(database, domain, { priority: 1 + (m % 3) }));
    }
    const reports = await Promise.all([tick(database), tick(database), tick(database)]);
    if (reports.some(({ isHeldUp }) => isHeldUp)) await tick(database);
    for (const id of ids) {
      expect(await readHistory(database, id)).toEqual(['>pending by system', 'pending>queued by scheduler']);
    }
    expect((await tick(database)).counts).toEqual({});
  });

  test('of a domain that somebody has locked are passed over, and come later', async () => {
    const [held, free] = [
      await plantDomain(database, 'held.example'),
      await plantDomain(database, 'free.example'),
    ];
    const tasks = [await plantTask(database, held, { priority: 1 }), await plantTask(database, free)];
    const client = await database.db.pool.connect();
    try {
      await client.query('begin read write');
      await client.query('select from domains where id = $1 for update', [held]);
      expect(await tick(database)).toMatchObject({ isHeldUp: true });
      expect(await statusesOf(...tasks)).toEqual(['pending', 'queued']);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await tick(database)).toMatchObject({ isHeldUp: false, counts: { queued: 1 } });
    expect(await statusesOf(...tasks)).toEqual(['queued', 'queued']);
  });

  test('by the thousand are queued in portions, as far as a tick goes, and the next goes on', async () => {
    const domain = await plantDomain(database, 'many.example');
    await database.execute(
      `insert into crawl_tasks (domain_id, url, url_hash, priority)
       select $1, 'https://many.example/' || n, sha256(n::text::bytea), 1 + n % 10 from generate_series(1, 5000) n`,
      [domain],
    );
    for (let n = 0; n < 100 && (await tick(database)).isMore; n += 1);
    const { rows } = await database.db.query(
      'select status, count(*)::int as count from crawl_tasks group by 1',
    );
    expect(rows).toEqual([{ status: 'queued', count: 5000 }]);
  });

  test('that failed come again at their time and not before', async () => {
    const domain = await plantDomain(database, 'a.example');
    const task = await plantTask(database, domain);
    await tick(database);
    await moveTask(database, task, 'crawling');
    await database.execute(
      `update crawl_tasks set status = 'pending', retry_count = 1, scheduled_at = forager_now() + interval '2 min'
        where id = $1`,
      [task],
    );
    await advance(database, { minutes: 1, seconds: 59 });
    await tick(database);
    expect(await statusesOf(task)).toEqual(['pending']);
    await advance(database, { seconds: 2 });
    await tick(database);
    expect(await statusesOf(task)).toEqual(['queued']);
  });
});

describe('policies', () => {
  interface PolicyRow {
    live_task_id: number | null;
    next_run_at: Date;
    runs_count: number;
    failure_count: number;
  }
  const readPolicy = (id: number): Promise<PolicyRow> => readRow<PolicyRow>(database, 'crawl_policies', id);
  const countTasks = async (policy: number): Promise<number> =>
    (await database.db.query('select from crawl_tasks where policy_id = $1', [policy])).rowCount;

  test('that are due get one task each; those that are disabled or not due get none', async () => {
    const domain = await plantDomain(database, 'a.example');
    const due = await plantPolicy(database, domain, {
      next_run_at: inMinutes(-5),
      priority: 2,
      max_retries: 7,
    });
    const off = await plantPolicy(database, domain, { next_run_at: inMinutes(-5), is_enabled: false });
    const later = await plantPolicy(database, domain, { next_run_at: inMinutes(5) });
    const ofBots = await plantPolicy(database, domain, { next_run_at: inMinutes(-5), executor: 'bot' });
    expect((await tick(database)).counts).toEqual({ 'policies run': 2, queued: 1 });
    expect(await Promise.all([due, off, later, ofBots].map(countTasks))).toEqual([1, 0, 0, 1]);
    const { live_task_id: live, runs_count } = await readPolicy(due);
    expect(runs_count).toBe(1);
    expect(await readRow(database, 'crawl_tasks', live ?? 0)).toMatchObject({
      ...{ status: 'queued', priority: 2, max_retries: 7, recrawl_count: 0, created_by: `policy:${due}` },
    });
    const { live_task_id: ofBot } = await readPolicy(ofBots);
    expect(await readRow(database, 'crawl_tasks', ofBot ?? 0)).toMatchObject({
      status: 'pending',
      executor: 'bot',
    });
    expect((await tick(database)).counts).toEqual({});
  });

  test('missed for a week are run once, and the next run counts from the end of that one', async () => {
    const domain = await plantDomain(database, 'a.example');
    const policy = await plantPolicy(database, domain, {
      next_run_at: inMinutes(-7 * 24 * 60),
      frequency_hours: 6,
    });
    await tick(database);
    await tick(database);
    expect(await countTasks(policy)).toBe(1);
    const { live_task_id: task } = await readPolicy(policy);
    await advance(database, { hours: 1 });
    await moveTask(database, task ?? 0, 'crawling', 'completed');
    await tick(database);
    expect(await countTasks(policy)).toBe(1);
    const { next_run_at, live_task_id } = await readPolicy(policy);
    expect(live_task_id).toBeNull();
    expect(Math.round((next_run_at.getTime() - Date.now()) / 3_600_000)).toBe(7);
    await advance(database, { hours: 6, minutes: 1 });
    await tick(database);
    expect(await countTasks(policy)).toBe(2);
    const { live_task_id: second } = await readPolicy(policy);
    expect(await readRow(database, 'crawl_tasks', second ?? 0)).toMatchObject({ recrawl_count: 1 });
  });

  test('that fail are run again after 5, 10, 20 and 40 minutes, then as usual; a success begins anew', async () => {
    const domain = await plantDomain(database, 'a.example');
    const policy = await plantPolicy(database, domain, { next_run_at: inMinutes(-1), frequency_hours: 24 });
    const endRun = async (...states: readonly string[]): Promise<number> => {
      await tick(database);
      const { live_task_id: task } = await readPolicy(policy);
      await moveTask(database, task ?? 0, ...states);
      const { rows } = await database.db.query<{ minutes: number }>(
        `select round(extract(epoch from next_run_at - forager_now()) / 60)::int as minutes
           from crawl_policies where id = $1`,
        [policy],
      );
      await advance(database, { minutes: rows[0]?.minutes ?? 0, seconds: 30 });
      return rows[0]?.minutes ?? 0;
    };
    const waits: number[] = [];
    for (let n = 0; n < 5; n += 1) waits.push(await endRun('crawling', 'failed'));
    expect(waits).toEqual([5, 10, 20, 40, 24 * 60]);
    expect(await readPolicy(policy)).toMatchObject({ failure_count: 5 });
    expect(await endRun('crawling', 'completed')).toBe(24 * 60);
    expect(await readPolicy(policy)).toMatchObject({ failure_count: 0 });
    expect(await endRun('crawling', 'failed')).toBe(5);
  });

  test('take a task for their URL that is under way for their own', async () => {
    const domain = await plantDomain(database, 'a.example');
    const url = 'https://a.example/same';
    const columns = { url, url_hash: hashOf(url) };
    const task = await plantTask(database, domain, { ...columns, created_by: 'user:anna' });
    await tick(database);
    await moveTask(database, task, 'crawling');
    await database.execute("update domains set claimed_by = 'w', version = 7 where id = $1", [domain]);
    await database.execute("update crawl_tasks set locked_by = 'w', lock_version = 7 where id = $1", [task]);
    const policy = await plantPolicy(database, domain, { ...columns, next_run_at: inMinutes(-1) });
    expect((await tick(database)).counts).toEqual({ 'policies run': 1 });
    expect(await readPolicy(policy)).toMatchObject({ live_task_id: task, runs_count: 1 });
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
      ...{ policy_id: policy, status: 'crawling', locked_by: 'w', lock_version: 7, created_by: 'user:anna' },
    });
    await moveTask(database, task, 'completed');
    expect(await readPolicy(policy)).toMatchObject({ live_task_id: null, last_success_at: expect.any(Date) });
  });

  test('are run once by two at the same time', async () => {
    const policies: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      const domain = await plantDomain(database, `p${n}.example`);
      policies.push(await plantPolicy(database, domain, { next_run_at: inMinutes(-1) }));
    }
    await Promise.all([tick(database), tick(database), tick(database)]);
    await tick(database);
    expect(await Promise.all(policies.map(countTasks))).toEqual(policies.map(() => 1));
  });
});

describe('locks that have run out', () => {
  test('of bots cost a retry; after the last the task has expired', async () => {
    const domain = await plantDomain(database, 'a.example');
    const task = await plantTask(database, domain, { executor: 'bot', max_retries: 1 });
    const lock = (): Promise<unknown> =>
      database.execute(
        `update crawl_tasks set status = 'locked', moved_by = 'bot:7', locked_by = 'bot:7',
                locked_until = forager_now() + interval '10 min' where id = $1`,
        [task],
      );
    await lock();
    await advance(database, { minutes: 9 });
    expect((await tick(database)).counts).toEqual({});
    await advance(database, { minutes: 2 });
    expect((await tick(database)).counts).toEqual({ 'bot locks expired': 1 });
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
      ...{ status: 'pending', retry_count: 1, locked_by: null, locked_until: null },
    });
    await lock();
    await advance(database, { minutes: 11 });
    await tick(database);
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
      ...{ status: 'expired', retry_count: 1, completed_at: expect.any(Date) },
    });
    const { rows } = await database.db.query('select reason from dead_letters where task_id = $1', [task]);
    expect(rows).toEqual([{ reason: 'the lock of bot:7 ran out' }]);
  });

  test('of five parsers in a row give the task up: it would be the end of a sixth', async () => {
    const domain = await plantDomain(database, 'a.example');
    const task = await plantTask(database, domain, { status: 'queued_parse' });
    for (let life = 1; life <= 5; life += 1) {
      expect(await statusesOf(task)).toEqual(['queued_parse']);
      await database.execute(
        "update crawl_tasks set status = 'parsing', locked_by = 'p', locked_until = forager_now() - interval '1 s'",
      );
      await tick(database);
    }
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
      ...{ status: 'failed', retry_count: 0 },
      error_message: 'five parsers in a row were gone before it was parsed',
    });
  });

  test('of parsers cost nothing, and other parsers are told', async () => {
    const domain = await plantDomain(database, 'a.example');
    const task = await plantTask(database, domain, { status: 'queued_parse', retry_count: 2, priority: 4 });
    await database.execute(
      `update crawl_tasks set status = 'parsing', locked_by = 'p1', locked_until = forager_now() + interval '1 min'
        where id = $1`,
      [task],
    );
    await advance(database, { minutes: 2 });
    const hints: WorkHint[] = [];
    expect((await tick(database, hints)).counts).toEqual({ 'parser locks expired': 1 });
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
      status: 'queued_parse',
      retry_count: 2,
    });
    expect(hints).toEqual([{ kind: 'parse', domainId: domain, taskIds: [task], priority: 4 }]);
  });
});

describe('what workers left behind', () => {
  test('tasks are queued again when their worker has lost the domain, at no cost, and stay while it has it', async () => {
    const kept = await plantDomain(database, 'kept.example', {
      ...{ status: 'active', claimed_by: 'w1', claim_expires_at: inMinutes(30), version: 3 },
    });
    const lost = await plantDomain(database, 'lost.example', {
      ...{ status: 'active', claimed_by: 'w2', claim_expires_at: inMinutes(30), version: 9 },
    });
    const free = await plantDomain(database, 'free.example', { status: 'exhausted', version: 4 });
    const plant = (domain: number, by: string, version: number): Promise<number> =>
      plantTask(database, domain, {
        ...{ status: 'crawling', locked_by: by, lock_version: version, retry_count: 1, priority: 3 },
      });
    const tasks = [await plant(kept, 'w1', 3), await plant(lost, 'w1', 8), await plant(free, 'w1', 3)];
    const hints: WorkHint[] = [];
    expect((await tick(database, hints)).counts).toEqual({ recovered: 2 });
    expect(await statusesOf(...tasks)).toEqual(['crawling', 'queued', 'queued']);
    for (const task of tasks.slice(1)) {
      expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({ retry_count: 1, locked_by: null });
    }
    expect(await readRow(database, 'domains', free)).toMatchObject({ task_priority: 3, status: 'pending' });
    expect(hints.map(({ domainId }) => domainId).sort()).toEqual([lost, free].sort());
  });

  test('a task that ten workers in a row did not survive is given up, and its policy waits', async () => {
    const domain = await plantDomain(database, 'a.example', { version: 2 });
    const policy = await plantPolicy(database, domain, { next_run_at: inMinutes(60) });
    const task = await plantTask(database, domain, { status: 'queued', policy_id: policy, max_retries: 0 });
    await database.execute('update crawl_policies set live_task_id = $1', [task]);
    const lose = async (): Promise<void> => {
      await database.execute(
        "update crawl_tasks set status = 'crawling', locked_by = 'w', lock_version = 1 where id = $1",
        [task],
      );
      await tick(database);
    };
    for (let life = 1; life <= 9; life += 1) {
      await lose();
      expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
        status: 'queued',
        lost_count: life,
      });
    }
    await lose();
    expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({
      ...{ status: 'failed', retry_count: 0, move_reason: 'its worker is gone, the tenth in a row' },
      error_message: 'ten workers in a row were gone before it was done',
    });
    expect(await readRow(database, 'crawl_policies', policy)).toMatchObject({
      ...{ live_task_id: null, failure_count: 1 },
    });
    const { rows } = await database.db.query('select queue, reason from dead_letters');
    expect(rows).toEqual([
      { queue: 'crawl_queue', reason: 'ten workers in a row were gone before it was done' },
    ]);
  });

  test('workers that were lost are not counted for the parsers after them, nor for a life that begins anew', async () => {
    const domain = await plantDomain(database, 'a.example');
    const task = await plantTask(database, domain, { status: 'queued', lost_count: 4 });
    const lostCount = async (): Promise<number> =>
      (await readRow<{ lost_count: number }>(database, 'crawl_tasks', task)).lost_count;
    await moveTask(database, task, 'crawling');
    expect(await lostCount()).toBe(4);
    await moveTask(database, task, 'queued_parse');
    expect(await lostCount()).toBe(0);
    await database.execute('update crawl_tasks set lost_count = 5');
    await moveTask(database, task, 'parsing', 'failed');
    expect(await lostCount()).toBe(5);
    await moveTask(database, task, 'queued_parse');
    expect(await lostCount()).toBe(0);
  });

  test('a lease that has run out is ended, and its tasks with it', async () => {
    const domain = await plantDomain(database, 'a.example', {
      ...{ status: 'active', claimed_by: 'elsewhere', claim_expires_at: inMinutes(-1), version: 3 },
    });
    const task = await plantTask(database, domain, {
      ...{ status: 'crawling', locked_by: 'elsewhere', lock_version: 3 },
    });
    await tick(database);
    expect(await statusesOf(task)).toEqual(['queued']);
  });

  test('what was downloaded a minute ago is left to a parser', async () => {
    const domain = await plantDomain(database, 'a.example');
    const task = await plantTask(database, domain, { status: 'downloaded' });
    await tick(database);
    expect(await statusesOf(task)).toEqual(['downloaded']);
    await advance(database, { minutes: 2 });
    const hints: WorkHint[] = [];
    await tick(database, hints);
    expect(await statusesOf(task)).toEqual(['queued_parse']);
    expect(hints).toMatchObject([{ kind: 'parse', taskIds: [task] }]);
  });

  test('a domain whose row says nothing of its queued tasks is healed', async () => {
    const domain = await plantDomain(database, 'a.example', { status: 'exhausted' });
    for (const priority of [7, 2, 4]) await plantTask(database, domain, { status: 'queued', priority });
    await plantDomain(database, 'b.example');
    expect((await tick(database)).counts).toEqual({ 'domains healed': 1 });
    expect(await readRow(database, 'domains', domain)).toMatchObject({ task_priority: 2, status: 'pending' });
    expect((await tick(database)).counts).toEqual({});
  });
});

describe('a domain in the queue of a crawl', () => {
  const plantRun = async (): Promise<number> => {
    const { rows } = await database.execute<{ id: number }>(
      "insert into crawl_runs (crawl_key, settings) values (sha256(random()::text::bytea), '{}') returning id",
    );
    return rows[0]?.id ?? 0;
  };
  const queueIn = async (run: number): Promise<number> => {
    const domain = await plantDomain(database, `of-${run}.example`, { run_id: run });
    await plantTask(database, domain, { scheduled_at: inMinutes(-1) });
    await tick(database);
    expect(await readRow(database, 'domains', domain)).toMatchObject({ run_id: run, task_priority: 5 });
    return domain;
  };

  test('that has queued tasks is taken out of it when the crawl is stopped, or silent', async () => {
    const [stopped, silent, running] = [await plantRun(), await plantRun(), await plantRun()];
    const domains = [await queueIn(stopped), await queueIn(silent), await queueIn(running)];
    await database.execute("update crawl_runs set status = 'interrupted' where id = $1", [stopped]);
    await database.execute(
      "update crawl_runs set updated_at = now() - case when id = $1 then interval '3 min' else '1 min' end where id > 0",
      [silent],
    );
    expect((await tick(database)).counts).toEqual({ 'domains healed': 2 });
    const runs = await Promise.all(
      domains.map(async (id) => (await readRow<{ run_id: number }>(database, 'domains', id)).run_id),
    );
    expect(runs).toEqual([0, 0, running]);
    expect((await tick(database)).counts).toEqual({});
  });

  test('stays in it while a worker has it', async () => {
    const run = await plantRun();
    const domain = await queueIn(run);
    await database.execute(
      "update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 h' where id = $1",
      [domain],
    );
    await database.execute("update crawl_runs set status = 'interrupted' where id = $1", [run]);
    expect((await tick(database)).counts).toEqual({});
    expect(await readRow(database, 'domains', domain)).toMatchObject({ run_id: run });
  });
});

describe('what has been kept long enough', () => {
  test('goes: errors and deliveries older than 30 days, once an hour', async () => {
    await database.execute(
      `insert into error_logs (domain_id, url, category, code, message, occurred_at)
       select 1, 'https://a.example/', 'http', 'c', 'm', now() - n * interval '1 day' from generate_series(1, 60) n`,
    );
    await database.execute(
      `insert into webhooks (url, events, secret) values ('https://hook.example/', '{task.failed}', 's')`,
    );
    await database.execute(
      `insert into webhook_deliveries (webhook_id, message_id, event, payload, created_at)
       select 1, 'm' || n, 'task.failed', '{}', now() - n * interval '1 day' from generate_series(25, 40) n`,
    );
    expect((await tick(database)).counts).toEqual({ 'errors forgotten': 31, 'deliveries forgotten': 11 });
    await database.execute("update error_logs set occurred_at = now() - interval '31 days'");
    expect((await tick(database)).counts).toEqual({});
    await advance(database, { hours: 1, minutes: 1 });
    expect((await tick(database)).counts).toMatchObject({ 'errors forgotten': 29 });
  });

  test('goes: minutes of proxies after two hours, what bots handed in after a week, their hours after a month', async () => {
    await plantDomain(database, 'a.example');
    await database.execute(
      `insert into proxies (proxy_url, proxy_port) values ('p.example', 3128);
       insert into proxy_usage (proxy_id, domain_id, minute, requests_count)
       select 1, 1, now() - n * interval '1 minute', 1 from generate_series(1, 150) n;
       insert into bots (bot_id) values ('b');
       insert into bot_submissions (lock_token, task_id, bot_id, digest, answer, at)
       select n, n, 1, '\\x00', '{}', now() - n * interval '1 day' from generate_series(1, 10) n;
       insert into bot_hours (bot_id, hour) select 1, now() - n * interval '1 day' from generate_series(25, 34) n`,
    );
    expect((await tick(database)).counts).toEqual({
      ...{ 'proxy minutes forgotten': 31, 'submissions forgotten': 4, 'bot hours forgotten': 5 },
    });
    const { rows } = await database.db.query('select count(*)::int as minutes from proxy_usage');
    expect(rows).toEqual([{ minutes: 119 }]);
    await advance(database, { hours: 1, minutes: 1 });
    expect((await tick(database)).counts).toMatchObject({ 'proxy minutes forgotten': 61 });
  });

  test('goes: changes of products and figures of parsers after 90 days; prices stay', async () => {
    await plantDomain(database, 'a.example');
    await database.execute(
      `insert into products (domain_id, url, url_hash, content_hash, source) values (1, 'https://a.example/', '', '', 'bot');
       insert into product_events (product_id, domain_id, at, changes, source)
       select 1, 1, now() - n * interval '1 day', '{}', 'bot' from generate_series(85, 95) n;
       insert into price_points (product_id, at, source) values (1, now() - interval '5 years', 'bot');
       insert into parse_hours (domain_id, parser_name, parser_version, hour)
       select 1, 'generic', '1', now() - n * interval '1 day' from generate_series(80, 99) n`,
    );
    expect((await tick(database)).counts).toEqual({
      ...{ 'product changes forgotten': 6, 'parse hours forgotten': 10 },
    });
    expect((await database.db.query('select from price_points')).rowCount).toBe(1);
  });

  test('goes: what a domain has seen of shared proxies that it has not used for a month, once a day', async () => {
    await database.execute(
      `insert into domains (domain, parent_domain, base_url)
       select format('d%s.example', n), 'example', 'https://example' from generate_series(1, 50) n;
       insert into proxies (proxy_url, proxy_port) select 'p.example', n from generate_series(1, 100) n;
       insert into domain_proxies (domain_id, proxy_id, is_assigned, last_used_at, created_at)
       select d.id, p.id, false, case when p.id % 2 = 0 then now() - interval '31 days' end, now() - interval '40 days'
         from domains d, proxies p;
       update domain_proxies set is_assigned = true where proxy_id = 1;
       update domain_proxies set is_active = false, disabled_by = 'anna' where proxy_id = 2;
       update domain_proxies set last_used_at = now() - interval '29 days' where proxy_id = 3;
       update domain_proxies set max_requests_per_hour = 9 where proxy_id = 4;
       update domain_proxies set created_at = now() where proxy_id = 5;`,
    );
    expect((await tick(database)).counts).toEqual({ 'proxy pairs forgotten': 50 * 95 });
    const { rows } = await database.db.query(
      'select proxy_id, count(*)::int as domains from domain_proxies group by 1 order by 1',
    );
    expect(rows).toEqual([1, 2, 3, 4, 5].map((id) => ({ proxy_id: id, domains: 50 })));
    await database.execute("update domain_proxies set last_used_at = now() - interval '31 days'");
    await advance(database, { hours: 23 });
    expect((await tick(database)).counts).toEqual({});
    await advance(database, { hours: 2 });
    expect((await tick(database)).counts).toEqual({ 'proxy pairs forgotten': 100 });
  });
});
