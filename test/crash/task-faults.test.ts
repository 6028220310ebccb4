/**
 * Five thousand tasks while everything that works on them is killed at random and started again: schedulers, workers,
 * parsers and the broker. Each is done exactly once, as its history tells, none is stuck, and no crash is charged to
 * anybody's retries.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { buildProgram, type CrawlProcess, startProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { makeRandom } from '../support/make-random.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startTestRabbit, type TestRabbit, testPrefix } from '../support/rabbitmq.ts';

const TASKS = 5000;
const SITES = 25;
/** Every so many a page that never works, a few of each site: two attempts each, and failed. */
const BROKEN_EVERY = 49;
const BROKEN = Math.ceil(TASKS / BROKEN_EVERY);
const KILLS = 16;
const STILL_MS = 60_000;

const PARTS = {
  'scheduler-a': ['scheduler'],
  'scheduler-b': ['scheduler'],
  crawler: ['worker', '--allow-private', '--crawl-only', '--id', 'crawler'],
  'all-rounder': ['worker', '--allow-private', '--id', 'all-rounder'],
  'parser-a': ['worker', '--parse-only', '--id', 'parser-a'],
  'parser-b': ['worker', '--parse-only', '--id', 'parser-b'],
} as const;
type Part = keyof typeof PARTS;
const VICTIMS = [...(Object.keys(PARTS) as Part[]), 'broker'] as const;

let database: TestDatabase;
let rabbit: TestRabbit;
beforeAll(async () => {
  await buildProgram();
  [database, rabbit] = await Promise.all([createTestDatabase(), startTestRabbit()]);
}, 180_000);
afterAll(async () => {
  await rabbit?.stop();
  await database?.drop();
});

const isBroken = (index: number): boolean => index % BROKEN_EVERY === 0;

it('kills of scheduler, worker, parser and broker: each task done once, none stuck, retry counts right', async () => {
  const origin = await startOrigin();
  for (let site = 0; site < SITES; site += 1) {
    origin.site(`shop-${site}`, {
      pages: {
        '/*': async ({ response, url }) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          const isFine = !isBroken(Number(url.pathname.slice(1)));
          response.writeHead(isFine ? 200 : 500, { 'content-type': 'text/html; charset=utf-8' });
          response.end(htmlPage(`Page ${url.pathname}`, []));
        },
      },
    });
  }
  const dataDir = await temporaryDirectory();
  const env = {
    ...{ AMQP_URL: rabbit.url, FORAGER_AMQP_PREFIX: testPrefix(), FORAGER_KEEP_BODIES: 'true' },
    ...{ FORAGER_DELAY_MS: '0', FORAGER_MAX_CONCURRENT_REQUESTS: '2', FORAGER_MAX_DOMAINS: '10' },
    ...{ FORAGER_LEASE_SECONDS: '5', FORAGER_REQUEST_TIMEOUT_MS: '3000', FORAGER_DATABASE_POOL_SIZE: '4' },
  };
  const place = { dataDir, databaseUrl: database.url, env };
  const file = path.join(dataDir, 'tasks.jsonl');
  const orders = Array.from({ length: TASKS }, (_, index) => ({
    url: origin.hostUrl(`shop-${index % SITES}`, `/${index}`),
    ...{ priority: 1 + (index % 10), maxRetries: 1 },
  }));
  await writeFile(file, orders.map((order) => JSON.stringify(order)).join('\n'));

  const start = (part: Part): CrawlProcess => startProgram(PARTS[part], place);
  const running = new Map((Object.keys(PARTS) as Part[]).map((part) => [part, start(part)] as const));
  const submitted = await startProgram(['task', 'submit', '--file', file, '--allow-private', '--json'], place)
    .ended;
  expect(submitted, submitted.stderr).toMatchObject({ code: 0 });

  const random = makeRandom(20_261_115);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // Spread over the whole of the work: the last one when nine tenths are done.
    await awaitOver(Math.floor((TASKS * 0.9 * kill) / KILLS), running);
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'broker';
    if (victim === 'broker') {
      await rabbit.kill();
      await rabbit.start();
    } else {
      await running.get(victim)?.kill();
      running.set(victim, start(victim));
    }
  }
  await awaitOver(TASKS - BROKEN, running);
  // The second attempts of what is broken are a minute away.
  await advance(database, { seconds: 61 });
  await awaitOver(TASKS, running);

  for (const process of running.values()) process.child.kill('SIGTERM');
  for (const process of running.values()) {
    const end = await process.ended;
    expect(end, end.stderr).toMatchObject({ code: 0 });
  }
  await origin.close();

  expect(
    await rowsOf('select status, retry_count, count(*)::int from crawl_tasks group by 1, 2 order by 1'),
  ).toEqual([
    { status: 'completed', retry_count: 0, count: TASKS - BROKEN },
    { status: 'failed', retry_count: 1, count: BROKEN },
  ]);
  // Exactly one end in every history, and it is the last thing in it.
  expect(
    await rowsOf(`select ends, is_last, count(*)::int from (
       select task_id, count(*) filter (where to_status in ('completed', 'failed'))::int as ends,
              (array_agg(to_status order by id desc))[1] in ('completed', 'failed') as is_last
         from task_events group by task_id) as histories group by 1, 2`),
  ).toEqual([{ ends: 1, is_last: true, count: TASKS }]);
  // Two attempts at what is broken, told as such, and a dead letter for each.
  expect(
    await rowsOf(`select attempt, category, count(*)::int from error_logs where task_id is not null
                   group by 1, 2 order by 1`),
  ).toEqual([1, 2].map((attempt) => ({ attempt, category: 'http', count: BROKEN })));
  expect(await rowsOf('select count(*)::int from dead_letters where task_id is not null')).toEqual([
    { count: BROKEN },
  ]);
  expect(await rowsOf('select count(*)::int from pages')).toEqual([{ count: TASKS - BROKEN }]);
}, 420_000);

async function rowsOf(statement: string): Promise<object[]> {
  return (await database.db.query<object>(statement, [])).rows;
}

/** Until so many are over; whoever dies by itself meanwhile is a failure, and so is standing still. */
async function awaitOver(wanted: number, running: ReadonlyMap<string, CrawlProcess>): Promise<void> {
  let last = { count: -1, atMs: performance.now() };
  await waitUntil(async () => {
    for (const [part, process] of running) {
      if (process.hasEnded()) throw new Error(`${part} has ended by itself: ${process.stderr()}`);
    }
    const { rows } = await database.db.query<{ count: number }>(
      "select count(*)::int as count from crawl_tasks where status in ('completed', 'failed')",
      [],
    );
    const count = rows[0]?.count ?? 0;
    if (count !== last.count) last = { count, atMs: performance.now() };
    if (performance.now() - last.atMs > STILL_MS) throw await describeStandstill(running);
    return count >= wanted ? true : undefined;
  });
}

async function describeStandstill(running: ReadonlyMap<string, CrawlProcess>): Promise<Error> {
  const tasks = await rowsOf(
    'select status, locked_by, count(*)::int from crawl_tasks group by 1, 2 order by 1, 2',
  );
  const domains = await rowsOf(
    `select status, claimed_by, task_priority is not null as has_tasks, next_crawl_after - forager_now() as rests,
            claim_expires_at - forager_now() as lease, block_reason, count(*)::int
       from domains group by 1, 2, 3, 4, 5, 6 order by 1, 2`,
  );
  const told = [...running].map(([part, process]) => `${part}: ${process.stderr().slice(-1500)}`);
  return new Error(
    `nothing happens any more: ${JSON.stringify({ tasks, domains }, null, 1)}\n${told.join('\n')}`,
  );
}
