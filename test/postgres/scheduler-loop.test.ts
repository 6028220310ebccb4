/** The scheduler as it runs: who leads, what wakes it, and a database that goes away. */
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { listSchedulers } from '../../src/control/schedulers/list-schedulers.ts';
import { LEADER_LOCK } from '../../src/scheduler/leadership.ts';
import { Scheduler, type SchedulerEvent } from '../../src/scheduler/scheduler.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantDomain, plantPolicy, plantTask, readRow, schedulerSettings } from '../support/scheduling.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

interface Running {
  readonly scheduler: Scheduler;
  readonly events: readonly SchedulerEvent[];
  stop(): Promise<void>;
}

function start(id: string): Running {
  const events: SchedulerEvent[] = [];
  const scheduler = new Scheduler({
    ...{ db: database.db, id, settings: schedulerSettings },
    distribution: { announce: async (hints) => hints.length },
    tell: (event) => void events.push(event),
  });
  const run = scheduler.run();
  const stop = async (): Promise<void> => {
    scheduler.stop();
    await run;
  };
  onTestFinished(stop);
  return { scheduler, events, stop };
}

const leads = (running: Running): Promise<true> =>
  waitUntil(() => (running.scheduler.isLeading ? (true as const) : undefined));
const countTicks = ({ events }: Running): number => events.filter(({ kind }) => kind === 'ticked').length;

async function waitForStatus(task: number, wanted: string): Promise<void> {
  await waitUntil(async () => {
    const { status } = await readRow<{ status: string }>(database, 'crawl_tasks', task);
    return status === wanted ? true : undefined;
  });
}

async function submit(domain: number, columns: Record<string, unknown> = {}): Promise<number> {
  const task = await plantTask(database, domain, columns);
  await database.execute("select pg_notify('forager_schedule', '')");
  return task;
}

test('what is submitted is queued as soon as somebody says so', async () => {
  const domain = await plantDomain(database, 'a.example');
  const running = start('one');
  await leads(running);
  for (let n = 0; n < 5; n += 1) await waitForStatus(await submit(domain), 'queued');
});

test('a task that is due in two seconds is queued then, with nobody saying anything', async () => {
  const domain = await plantDomain(database, 'a.example');
  const running = start('one');
  await leads(running);
  const task = await submit(domain, { scheduled_at: new Date(Date.now() + 2000) });
  const { scheduled_at: due } = await readRow<{ scheduled_at: Date }>(database, 'crawl_tasks', task);
  await waitForStatus(task, 'queued');
  const { rows } = await database.db.query<{ at: Date }>(
    "select at from task_events where task_id = $1 and to_status = 'queued'",
    [task],
  );
  expect(rows[0]?.at.getTime()).toBeGreaterThanOrEqual(due.getTime());
  // It slept until then: a tick or two after the one that the submission caused.
  expect(countTicks(running)).toBeLessThan(20);
});

test('a policy that is due is run and its task queued in the same tick', async () => {
  const domain = await plantDomain(database, 'a.example');
  const policy = await plantPolicy(database, domain);
  start('one');
  const task = await waitUntil(async () => {
    const { live_task_id } = await readRow<{ live_task_id: number | null }>(
      database,
      'crawl_policies',
      policy,
    );
    return live_task_id ?? undefined;
  });
  await waitForStatus(task, 'queued');
});

test('one of three leads; when it stops another does, and everybody can see who', async () => {
  const all = ['one', 'two', 'three'].map(start);
  const states = async (): Promise<string[]> =>
    (await listSchedulers(database.db)).map(({ id, state }) => `${id} ${state}`).sort();
  const first = await waitUntil(() => all.find(({ scheduler }) => scheduler.isLeading));
  await waitUntil(async () => {
    const seen = await states();
    return seen.filter((state) => state.endsWith(' leading')).length === 1 && seen.length === 3
      ? true
      : undefined;
  });
  expect(all.filter(({ scheduler }) => scheduler.isLeading)).toHaveLength(1);
  await first.stop();
  const second = await waitUntil(() => all.find(({ scheduler }) => scheduler.isLeading));
  expect(second).not.toBe(first);
  await waitUntil(async () => {
    const seen = await states();
    const isRight =
      seen.filter((state) => state.endsWith(' leading')).length === 1 &&
      seen.filter((state) => state.endsWith(' stopped')).length === 1;
    return isRight ? true : undefined;
  });
  const domain = await plantDomain(database, 'a.example');
  await waitForStatus(await submit(domain), 'queued');
});

test('a leader whose connection is cut learns of it, and one of them leads again', async () => {
  const all = ['one', 'two'].map(start);
  const leader = await waitUntil(() => all.find(({ scheduler }) => scheduler.isLeading));
  await database.execute(
    `select pg_terminate_backend(l.pid) from pg_locks l
      where l.locktype = 'advisory' and l.objid = ${LEADER_LOCK} and l.granted
        and l.database = (select oid from pg_database where datname = current_database())`,
  );
  await waitUntil(() => (leader.events.some(({ kind }) => kind === 'lost') ? true : undefined));
  await waitUntil(() => all.find(({ scheduler }) => scheduler.isLeading));
  const domain = await plantDomain(database, 'a.example');
  await waitForStatus(await submit(domain), 'queued');
});

test('while somebody else has the lock nothing is done, and it is taken up when that one goes', async () => {
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query(`select pg_advisory_lock(${LEADER_LOCK})`);
  const domain = await plantDomain(database, 'a.example');
  const running = start('one');
  await waitUntil(() => (running.events.some(({ kind }) => kind === 'waiting') ? true : undefined));
  const task = await submit(domain);
  await waitUntil(async () => {
    const [row] = await listSchedulers(database.db);
    return row?.state === 'waiting' ? true : undefined;
  });
  expect(countTicks(running)).toBe(0);
  expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({ status: 'pending' });
  await other.end();
  await waitForStatus(task, 'queued');
});

test('one step that fails is told, and keeps nothing else from being done', async () => {
  await database.execute('alter table webhook_deliveries rename to gone');
  const domain = await plantDomain(database, 'a.example');
  const running = start('one');
  await waitForStatus(await plantTask(database, domain), 'queued');
  await waitUntil(() => (running.events.some(({ kind }) => kind === 'step-failed') ? true : undefined));
  await waitForStatus(await submit(domain), 'queued');
  expect(running.scheduler.isLeading).toBe(true);
});

test('notifications do not make a step that fails be tried and told again and again', async () => {
  await database.execute('alter table task_releases rename to gone');
  const domain = await plantDomain(database, 'a.example');
  const running = start('one');
  await leads(running);
  for (let n = 0; n < 20; n += 1) await waitForStatus(await submit(domain), 'queued');
  expect(countTicks(running)).toBeGreaterThan(5);
  expect(running.events.filter(({ kind }) => kind === 'step-failed')).toHaveLength(1);
});
