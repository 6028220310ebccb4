/**
 * What a move of tasks reads for all that it brings with it, beside hundreds of thousands of finished tasks, policies,
 * dead letters and domains: the rows that it has to do with, also by a plan that was made while the tables were empty.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const MANY = 60_000;
const MOVED = 40;
/** Of a row that moves: itself, its policy, its domain, its dead letter, and what an index leads to besides. */
const MOST_READ = 12 * MOVED;

let database: TestDatabase;
let client: pg.PoolClient;
beforeAll(async () => {
  database = await createTestDatabase();
  client = await database.db.pool.connect();
  await plant(100);
  // The plans are made now, and kept.
  for (let round = 0; round < 8; round += 1) for (const { from, to } of moves) await move(from, to);
  await plant(MANY);
}, 180_000);
afterAll(async () => {
  client.release();
  await database.drop();
});

async function plant(count: number): Promise<void> {
  const { execute } = database;
  await execute(
    `insert into domains (domain, parent_domain, base_url)
     select n || '.example', n || '.example', 'https://' || n || '.example'
       from generate_series((select count(*) from domains) + 1, $1) n`,
    [count],
  );
  await execute(
    `insert into crawl_policies (domain_id, url, url_hash, frequency_hours, is_enabled)
     select 1, 'https://1.example/' || n, sha256(('p' || n)::bytea), 24, false
       from generate_series((select count(*) from crawl_policies) + 1, $1) n`,
    [count],
  );
  await execute('alter table crawl_tasks disable trigger user');
  // All over, and children of the first one.
  await execute(
    `insert into crawl_tasks (domain_id, url, url_hash, status, policy_id, parent_task_id)
     select n, 'https://x.example/' || n, sha256(n::text::bytea), 'completed', n, case when n > 1 then 1 end
       from generate_series((select count(*) from crawl_tasks) + 1, $1) n`,
    [count],
  );
  await execute('alter table crawl_tasks enable trigger user');
  await execute(
    `insert into dead_letters (queue, task_id, domain_id, reason)
     select 'crawl_queue', n, n, 'failed'
       from generate_series((select count(*) from dead_letters) + 1000001, $1 + 1000000) n`,
    [count],
  );
}

/** Rows that were read of each of the large tables. */
async function move(from: string, to: string): Promise<Readonly<Record<string, number>>> {
  await client.query('begin read write');
  try {
    await client.query("set local session_replication_role = 'replica'");
    await client.query('update crawl_tasks set status = $2::task_status where id <= $1', [...[MOVED, from]]);
    await client.query('update crawl_policies set live_task_id = id where id <= $1', [MOVED]);
    await client.query("set local session_replication_role = 'origin'");
    const before = await readCounts();
    await client.query(
      "update crawl_tasks set status = $2::task_status, moved_by = 'test' where id = any($1::bigint[])",
      [Array.from({ length: MOVED }, (_, n) => n + 1), to],
    );
    const after = await readCounts();
    return Object.fromEntries(
      Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]),
    );
  } finally {
    await client.query('rollback');
  }
}

async function readCounts(): Promise<Record<string, number>> {
  const { rows } = await client.query<{ relname: string; count: string }>(
    `select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables
      where relname in ('crawl_tasks', 'crawl_policies', 'dead_letters', 'domains', 'task_events')`,
  );
  return Object.fromEntries(rows.map(({ relname, count }) => [relname, Number(count)]));
}

const moves = [
  { from: 'crawling', to: 'completed' },
  { from: 'crawling', to: 'failed' },
  { from: 'failed', to: 'pending' },
  { from: 'pending', to: 'queued' },
] as const;

describe.each([
  { title: 'while nobody wants to be told', events: [] },
  { title: 'while somebody wants to be told of other things', events: ['alert.raised'] },
  { title: 'while somebody wants to be told', events: ['task.completed', 'task.failed'] },
])('$title', ({ events }) => {
  beforeAll(async () => {
    await database.execute('delete from webhooks');
    if (events.length === 0) return;
    await database.execute(
      "insert into webhooks (url, events, secret) values ('https://hook.example/', $1, 's')",
      [events],
    );
  });

  it.each(moves)('a move from $from to $to reads what it has to do with', async ({ from, to }) => {
    for (const [table, count] of Object.entries(await move(from, to))) {
      expect(count, `rows of ${table}`).toBeLessThanOrEqual(MOST_READ);
    }
  });
});
