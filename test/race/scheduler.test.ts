/** Schedulers as processes: one leads, and another takes its place however it ends. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listSchedulers, type SchedulerRow } from '../../src/control/schedulers/list-schedulers.ts';
import { buildProgram, type CrawlProcess, startProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantDomain, plantTask, readHistory } from '../support/scheduling.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(() => buildProgram(), 120_000);
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await temporaryDirectory();
  return () => database.drop();
});

function startScheduler(env: Readonly<Record<string, string>> = {}): CrawlProcess {
  return startProgram(['scheduler', '--json'], { dataDir, databaseUrl: database.url, env });
}

const findLeader = (): Promise<SchedulerRow> =>
  waitUntil(async () => (await listSchedulers(database.db)).find(({ state }) => state === 'leading'));

async function plantTasks(count: number): Promise<number[]> {
  const ids: number[] = [];
  const domain = await plantDomain(database, `d${Math.random()}.example`);
  for (let n = 0; n < count; n += 1) ids.push(await plantTask(database, domain));
  await database.execute("select pg_notify('forager_schedule', '')");
  return ids;
}

async function waitUntilQueued(): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await database.db.query<{ count: number }>(
      "select count(*)::int as count from crawl_tasks where status = 'pending'",
    );
    return rows[0]?.count === 0 ? true : undefined;
  });
}

it('when the one that leads is killed another leads, and every task is queued once', async () => {
  const processes = [startScheduler(), startScheduler(), startScheduler()];
  const ids: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const leader = await waitUntil(async () => {
      const { pid } = await findLeader();
      return processes.find((one) => one.pid === pid && !one.hasEnded());
    });
    ids.push(...(await plantTasks(30)));
    await leader.kill();
    ids.push(...(await plantTasks(30)));
    await waitUntilQueued();
  }
  for (const id of ids) {
    expect(await readHistory(database, id)).toEqual(['>pending by system', 'pending>queued by scheduler']);
  }
}, 120_000);

it('SIGTERM ends it well: it says so, and does not lead any more', async () => {
  const scheduler = startScheduler();
  const { pid } = await findLeader();
  expect(pid).toBe(scheduler.pid);
  await plantTasks(5);
  await waitUntilQueued();
  scheduler.child.kill('SIGTERM');
  const { code, stdout, stderr } = await scheduler.ended;
  expect(code).toBe(0);
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });
  expect(said.map(({ event }) => event)).toEqual(['started', 'stopped']);
  const log = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(log).toContainEqual(expect.objectContaining({ msg: 'scheduled', queued: 5 }));
  expect((await listSchedulers(database.db)).map(({ state }) => state)).toEqual(['stopped']);
}, 60_000);

it('one that is started before its database waits for it', async () => {
  const nowhere = new URL(database.url);
  nowhere.port = '1';
  const away = startProgram(['scheduler', '--json'], { dataDir, databaseUrl: nowhere.toString() });
  await waitUntil(() => (away.stderr().split('trying again').length > 2 ? true : undefined));
  expect(away.hasEnded()).toBe(false);
  expect(away.stderr()).not.toContain(decodeURIComponent(nowhere.password));
  away.child.kill('SIGTERM');
  expect((await away.ended).code).toBe(0);
}, 60_000);
