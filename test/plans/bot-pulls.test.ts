/**
 * What a pull touches while hundreds of thousands of jobs wait in one domain that is full, as many for tomorrow in
 * others, and the rest is over: as much as the jobs it takes, not as much as the tables.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const bots = path.resolve(import.meta.dirname, '..', '..', 'src', 'control', 'bots');
const statement = (file: string): string => readFileSync(path.join(bots, file), 'utf8');

const CROWDED = 1;
const DOMAINS = 500;
const TURNS = 5;

let full: TestDatabase;
let small: TestDatabase;
beforeAll(async () => {
  [full, small] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await Promise.all([plant(full, 300_000), plant(small, 3000)]);
}, 180_000);
afterAll(async () => {
  await full.drop();
  await small.drop();
});

async function plant(database: TestDatabase, jobs: number): Promise<void> {
  await database.execute('alter table crawl_tasks set (autovacuum_enabled = off)');
  await database.execute("insert into bots (bot_id) values ('bot')");
  await database.execute(
    `insert into domains (domain, parent_domain, base_url)
     select format('d%s.example', n), format('d%s.example', n), format('https://d%s.example', n)
       from generate_series(1, $1) n`,
    [DOMAINS],
  );
  await database.execute('alter table crawl_tasks disable trigger user');
  await database.execute(
    `insert into crawl_tasks (domain_id, url, url_hash, status, priority, scheduled_at, executor)
     select case when n % 3 = 0 then $2 else 1 + n % $3 end, 'https://d.example/' || n, sha256(n::text::bytea),
            (case when n % 3 = 2 then 'completed' else 'pending' end)::task_status, 1 + n % 10,
            case when n % 3 = 1 then now() + interval '1 day' else now() - interval '1 hour' end, 'bot'
       from generate_series(1, $1) n`,
    [jobs, CROWDED, DOMAINS],
  );
  // The crowded domain is full; every other has one job that is due.
  await database.execute(
    `update crawl_tasks set status = 'locked', locked_by = 'other', locked_until = now() + interval '10 min',
            lock_version = nextval('bot_lock_tokens')
      where id in (select id from crawl_tasks where domain_id = $1 and status = 'pending' order by id limit 5)`,
    [CROWDED],
  );
  await database.execute(
    `insert into crawl_tasks (domain_id, url, url_hash, priority, scheduled_at, executor)
     select n, 'https://due.example/' || n, sha256(('due' || n)::bytea), 5, now() - interval '1 minute', 'bot'
       from generate_series(2, $1) n`,
    [DOMAINS],
  );
  await database.execute('alter table crawl_tasks enable trigger user');
  await database.execute(
    `insert into bot_queues (domain_id, best_priority, next_at)
     select n, 1, now() - interval '1 minute' from generate_series(1, $1) n`,
    [DOMAINS],
  );
  await database.db.pool.query('vacuum crawl_tasks');
}

const turnsAt = [CROWDED, 2, 3, 4, 5];
const lockValues = [1, 'bot', turnsAt, 10, 5, 100, 600];

const hot = [
  { name: 'taking turns', file: 'take-turns.sql', values: [1, 1, TURNS], mostBuffers: 150 },
  {
    name: 'taking turns of named domains',
    file: 'take-turns-of.sql',
    values: [1, 1, TURNS, turnsAt],
    mostBuffers: 150,
  },
  // The triggers of four moves, and all indexes of the table, are in it.
  { name: 'locking jobs', file: 'lock-jobs.sql', values: lockValues, mostBuffers: 1500 },
  {
    name: 'a turn at a domain that is full',
    file: 'lock-jobs.sql',
    values: lockValues.with(2, [CROWDED]),
    mostBuffers: 150,
  },
  { name: 'reading when to come again', file: 'read-wait.sql', values: [null], mostBuffers: 1000 },
] as const;

describe.each([
  { title: 'without statistics', isAnalysed: false },
  { title: 'with statistics', isAnalysed: true },
])('$title', ({ isAnalysed }) => {
  beforeAll(async () => {
    if (isAnalysed) for (const { execute } of [full, small]) await execute('analyze');
  });

  it.each(hot.flatMap((one) => [false, true].map((isGeneric) => ({ ...one, isGeneric }))))(
    '$name touches what it needs, whatever waits (planned once: $isGeneric)',
    async ({ file, values, mostBuffers, isGeneric }) => {
      const sql = statement(file);
      const inFull = await explain(full, sql, values, { isGeneric });
      expect(
        inFull.scanned.filter((name) => name === 'crawl_tasks'),
        inFull.text,
      ).toEqual([]);
      expect(inFull.buffers, inFull.text).toBeLessThanOrEqual(mostBuffers);
      const inSmall = await explain(small, sql, values, { isGeneric });
      expect(inFull.buffers, inFull.text).toBeLessThanOrEqual(2 * inSmall.buffers + 50);
    },
  );
});
