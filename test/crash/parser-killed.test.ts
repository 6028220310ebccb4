/** Parser processes that are killed, frozen and stopped: every body is parsed once, and none is left behind. */
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { htmlPage } from '../origin/site.ts';
import { holdLock } from '../support/crawl-crash.ts';
import { awaitLockWait, buildProgram, type CrawlProcess } from '../support/crawl-process.ts';
import { readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { type FleetPlace, freeze, startWorker } from '../support/fleet.ts';
import { plantKept } from '../support/parsers.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { readHistory, readTasks } from '../support/tasks.ts';

const SITES = 5;

let database: TestDatabase;
let place: FleetPlace;
beforeAll(() => buildProgram());
beforeEach(async () => {
  database = await createTestDatabase();
  const env = { FORAGER_LEASE_SECONDS: '3', FORAGER_REQUEST_TIMEOUT_MS: '2000', FORAGER_KEEP_BODIES: 'true' };
  place = { dataDir: await temporaryDirectory(), databaseUrl: database.url, env };
  return () => database.drop();
});

function plant(count: number): Promise<readonly number[]> {
  const pages = Array.from({ length: count }, (_, n) => ({
    url: `http://site-${n % SITES}.example/page/${n}`,
    html: htmlPage(`Page ${n}`, [], 'word '.repeat(2000)),
  }));
  return plantKept(database, path.join(place.dataDir, 'warc'), pages);
}

const startParser = (id: string): CrawlProcess => startWorker(place, ['--parse-only', '--id', id]);

async function countIn(status: string): Promise<number> {
  return (await readTasks(database.db)).filter((task) => task.status === status).length;
}

async function awaitAll(status: string, count: number): Promise<void> {
  await waitUntil(async () => ((await countIn(status)) === count ? true : undefined));
}

/** Each has exactly one end in its history, and costs nobody a retry. */
async function expectEachOnce(count: number): Promise<void> {
  const { rows } = await database.db.query<{ times: number; tasks: number }>(
    `select times::int, count(*)::int as tasks
       from (select count(*) as times from task_events where to_status = 'completed' group by task_id) as t group by 1`,
  );
  expect(rows).toEqual([{ times: 1, tasks: count }]);
  const tasks = await readTasks(database.db);
  expect(
    tasks.filter((task) => task.status !== 'completed' || task.retry_count > 0 || task.locked_by !== null),
  ).toEqual([]);
  expect(await readPageRows(database.db)).toHaveLength(count);
  const counted = await database.db.query<{ pages: number; parsed: number }>(
    `select sum(pages_crawled)::int as pages,
            (select sum(count)::int from stats_minutely where tally = 'task:completed') as parsed from domains`,
  );
  expect(counted.rows).toEqual([{ pages: count, parsed: count }]);
}

describe('a parser that is killed', () => {
  it('in the middle of its lot loses it to the next one, and what it had is done once', async () => {
    const ids = await plant(20);
    const release = await holdLock(database.db, 'select from domains for update');
    const first = startParser('first');
    await awaitLockWait(database.db, `forager ${first.pid}`);
    expect(await countIn('parsing')).toBe(20);
    await first.kill();
    await release();
    const second = startParser('second');
    await awaitAll('completed', 20);
    expect(await readHistory(database.db, ids[0])).toEqual([
      ...['queued', 'crawling', 'downloaded', 'queued_parse', 'parsing'],
      ...['queued_parse', 'parsing', 'completed'],
    ]);
    await expectEachOnce(20);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
  });

  it('and started again under its name takes up what it had at once', async () => {
    place = { ...place, env: { ...place.env, FORAGER_LEASE_SECONDS: '3600' } };
    await plant(20);
    const release = await holdLock(database.db, 'select from domains for update');
    const first = startParser('named');
    await awaitLockWait(database.db, `forager ${first.pid}`);
    await first.kill();
    await release();
    startParser('named');
    await awaitAll('completed', 20);
    await expectEachOnce(20);
  });

  it('at any moment, again and again, leaves nothing behind', async () => {
    const count = 600;
    await plant(count);
    let seed = 20_260_401;
    const random = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    for (let life = 0; life < 5; life += 1) {
      const parser = startParser(`life-${life}`);
      const before = await countIn('completed');
      const wanted = Math.min(count, before + 1 + Math.floor(random() * 90));
      await waitUntil(async () => ((await countIn('completed')) >= wanted ? true : undefined));
      await parser.kill();
    }
    startParser('last-a');
    startParser('last-b');
    await awaitAll('completed', count);
    await expectEachOnce(count);
  });
});

describe('a parser that is frozen for longer than its locks last', () => {
  it('finds when it wakes up that another has done its work, and writes nothing', async () => {
    await plant(20);
    const release = await holdLock(database.db, 'select from domains for update');
    const frozen = startParser('frozen');
    await awaitLockWait(database.db, `forager ${frozen.pid}`);
    const thaw = freeze(frozen);
    // The server ends the transaction of a client that says nothing; here, the test does.
    await database.execute(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [`forager ${frozen.pid}`],
    );
    await release();
    startParser('awake');
    await awaitAll('completed', 20);
    thaw();
    frozen.child.kill('SIGTERM');
    expect(await frozen.ended).toMatchObject({ code: 0 });
    await expectEachOnce(20);
  });
});

describe('a parser that is told to stop', () => {
  it('writes what it has read, gives back what it has not begun, and says so', async () => {
    const count = 300;
    await plant(count);
    const release = await holdLock(database.db, 'select from domains for update');
    const parser = startParser('ending');
    await awaitLockWait(database.db, `forager ${parser.pid}`);
    parser.child.kill('SIGTERM');
    await waitUntil(() => (parser.stderr().includes('SIGTERM') || parser.hasEnded() ? true : undefined));
    await release();
    const end = await parser.ended;
    expect(end, end.stderr).toMatchObject({ code: 0, signal: null });
    const done = await countIn('completed');
    expect(done).toBeGreaterThan(0);
    expect(await countIn('queued_parse')).toBe(count - done);
    expect(end.stdout).toContain(`${done} tasks parsed`);
    startParser('next');
    await awaitAll('completed', count);
    await expectEachOnce(count);
  });
});
