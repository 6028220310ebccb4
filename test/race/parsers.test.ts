/** Parsers side by side, and beside the workers that hold the domains: each body is parsed once, by one of them. */
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeScope } from '../../src/engine/frontier/scope.ts';
import { commitReadings } from '../../src/engine/parsing/commit-readings.ts';
import { openLotReader } from '../../src/engine/parsing/page-reader.ts';
import { ParseQueue } from '../../src/engine/parsing/parse-queue.ts';
import { readStoredPage } from '../../src/engine/parsing/read-stored-page.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { html, htmlPage } from '../origin/site.ts';
import { readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, testSettings, waitUntil } from '../support/crawl-support.ts';
import { seedFleet } from '../support/fleet-run.ts';
import { crawlOnly, parseAll, plantKept, startParser } from '../support/parsers.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantTasks, readTasks } from '../support/tasks.ts';

const PARSERS = 4;

let origin: Origin;
let database: TestDatabase;
let pools: Database[];
let directory: string;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ databaseUrl: database.url, databasePoolSize: 2 }, {});
  pools = await Promise.all(Array.from({ length: PARSERS }, () => openDatabase(config)));
  directory = path.join(await temporaryDirectory(), 'warc');
  return async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await database.drop();
  };
});
afterAll(() => origin.close());

/** Tasks by how often they came into this state. */
async function countMoves(status: string): Promise<Map<number, number>> {
  const { rows } = await database.db.query<{ tasks: number; times: number }>(
    `select times::int, count(*)::int as tasks
       from (select count(*) as times from task_events where to_status = $1::task_status group by task_id) as t
      group by times`,
    [status],
  );
  return new Map(rows.map(({ times, tasks }) => [times, tasks]));
}

const keptPages = (count: number, sites: number) =>
  Array.from({ length: count }, (_, n) => ({
    url: `http://site-${n % sites}.example/page/${n}`,
    html: htmlPage(`Page ${n}`),
  }));

async function awaitNothingToParse(): Promise<void> {
  await waitUntil(async () => {
    const open = (await readTasks(database.db)).filter(({ status }) => status !== 'completed');
    return open.length === 0 ? true : undefined;
  });
}

describe('parsers side by side', () => {
  it('parse each body once', async () => {
    const count = 400;
    await plantKept(database, directory, keptPages(count, 7));
    const parsers = pools.map((pool) => startParser(pool, directory));
    await awaitNothingToParse();
    await Promise.all(parsers.map(({ stop }) => stop()));
    expect(await countMoves('parsing')).toEqual(new Map([[1, count]]));
    expect(await countMoves('completed')).toEqual(new Map([[1, count]]));
    expect(await readPageRows(database.db)).toHaveLength(count);
    const { rows } = await database.db.query<{ pages: number; parsed: number }>(
      `select sum(pages_crawled)::int as pages,
              (select sum(count)::int from stats_minutely where tally = 'task:completed') as parsed
         from domains`,
    );
    expect(rows).toEqual([{ pages: count, parsed: count }]);
    expect(parsers.flatMap(({ events }) => events).filter(({ name }) => name === 'parser:failed')).toEqual(
      [],
    );
  });

  it('and workers that hold the same domains do not stand in each other’s way', async () => {
    const paths = Array.from({ length: 60 }, (_, n) => `/page/${n}`);
    const page = html(({ url }) =>
      htmlPage(url.pathname, [...paths.slice(0, 20), `${url.pathname}/more`], 'Some text.'),
    );
    const sites = ['left', 'right', 'middle'];
    for (const site of sites) origin.site(site, { pages: { '/*': page } });
    await seedFleet(
      database.db,
      sites.map((site) => origin.hostUrl(site, '/')),
    );
    await plantTasks(
      database.db,
      sites.flatMap((site) => paths.map((each) => origin.hostUrl(site, each))),
    );
    const parsers = pools.slice(0, 2).map((pool) => startParser(pool, directory));
    await crawlOnly(database.db, directory, { maxDepth: 2 });
    await awaitNothingToParse();
    await Promise.all(parsers.map(({ stop }) => stop()));
    expect(await countMoves('completed')).toEqual(new Map([[1, sites.length * paths.length]]));
    expect(parsers.flatMap(({ events }) => events).filter(({ name }) => name === 'parser:failed')).toEqual(
      [],
    );
    // What the parsers found was crawled, or waits to be.
    await crawlOnly(database.db, directory, { maxDepth: 2 });
    const { rows } = await database.db.query("select url from urls where state = 'never_crawled'");
    expect(rows).toEqual([]);
  });
});

describe('a parser whose time ran out', () => {
  it.each([
    ['another one', 'late', 'early'],
    ['a later life of the same name', 'same', 'same'],
  ])('writes nothing once %s has taken over', async (_who, first, second) => {
    await plantKept(database, directory, keptPages(5, 1));
    const queue = new ParseQueue(database.db, first, 60_000);
    const parts = {
      ...{ db: database.db, settings: testSettings, warcDirectory: directory },
      scopeOf: ({ domain }: { domain: string }) =>
        makeScope({ scope: 'host', seeds: [domain], include: [], exclude: [], maxDepth: 3 }),
    };
    const lot = await queue.take(10);
    expect(lot.tasks).toHaveLength(5);
    const reader = await openLotReader(parts, lot.tasks);
    const readings = await Promise.all(lot.tasks.map((task) => readStoredPage(task, reader)));
    await database.execute("update crawl_tasks set locked_until = forager_now() - interval '1 second'");
    await parseAll(database.db, directory, { workerId: second });
    await database.execute("update pages set title = 'as the other one wrote it'");
    const written = await commitReadings(readings, {
      ...{ db: database.db, workerId: first, lotNumber: lot.number, settings: testSettings },
      ...{ heldIds: await queue.renew(lot, lot.tasks), tallies: new Map() },
    });
    expect(written).toMatchObject({ lost: 5, completed: 0, failed: 0, retried: 0 });
    await queue.giveBack(lot, lot.tasks);
    expect(await countMoves('completed')).toEqual(new Map([[1, 5]]));
    expect((await readTasks(database.db)).every(({ status }) => status === 'completed')).toBe(true);
    expect(new Set((await readPageRows(database.db)).map(({ title }) => title))).toEqual(
      new Set(['as the other one wrote it']),
    );
  });

  it('keeps what it has as long as it says so', async () => {
    await plantKept(database, directory, keptPages(3, 1));
    const queue = new ParseQueue(database.db, 'slow', 60_000);
    const lot = await queue.take(2);
    expect(await queue.renew(lot, lot.tasks)).toEqual(new Set(lot.tasks.map(({ id }) => id)));
    await parseAll(database.db, directory);
    expect((await readTasks(database.db)).map(({ status }) => status)).toEqual([
      'parsing',
      'parsing',
      'completed',
    ]);
    await queue.giveBack(lot, lot.tasks);
    await parseAll(database.db, directory);
    expect(await countMoves('completed')).toEqual(new Map([[1, 3]]));
  });

  it('takes the most urgent first', async () => {
    const pages = keptPages(6, 2).map((page, n) => ({ ...page, priority: 6 - n }));
    const ids = await plantKept(database, directory, pages);
    const lot = await new ParseQueue(database.db, 'picky', 60_000).take(3);
    expect(lot.tasks.map(({ id }) => id)).toEqual([...ids].reverse().slice(0, 3));
  });
});
