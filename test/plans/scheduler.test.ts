/**
 * What the scheduler's statements touch while hundreds of thousands of tasks wait for a later time, most of the rest
 * are over, and bots have left as many untouched: as much as the portion, not as much as the tables.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const src = path.resolve(import.meta.dirname, '..', '..', 'src');
const statement = (file: string): string => readFileSync(path.join(src, file), 'utf8');

const PORTION = 100;
const WAITING = 150_000;
const FROM_THE_START = [1, '-infinity', 0];

let full: TestDatabase;
let small: TestDatabase;
beforeAll(async () => {
  [full, small] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await Promise.all([plant(full, WAITING, 5000), plant(small, 1500, 50)]);
}, 180_000);
afterAll(async () => {
  await full.drop();
  await small.drop();
});

async function plant(database: TestDatabase, waiting: number, domains: number): Promise<void> {
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, status, maintenance_start, maintenance_end)
     select format('d%s.example', n), format('d%s.example', n), format('https://d%s.example', n), 'pending',
            case when n % 500 = 0 then '02:00'::time end, case when n % 500 = 0 then '04:00'::time end
       from generate_series(1, $1) n`,
    [domains],
  );
  await database.execute('alter table crawl_tasks set (autovacuum_enabled = off)');
  // What waits for tomorrow, what bots are to pull, and what is over; history is not what is looked at here.
  await database.execute('alter table crawl_tasks disable trigger user');
  await database.execute(
    `insert into crawl_tasks (domain_id, url, url_hash, status, priority, scheduled_at, executor)
     select 1 + n % $2, 'https://d.example/' || n, sha256(n::text::bytea),
            (case when n % 3 = 2 then 'completed' else 'pending' end)::task_status, 1 + n % 10,
            case when n % 3 = 1 then now() - n * interval '1 s' else now() + n * interval '1 s' end,
            case when n % 3 = 1 then 'bot' else 'forager' end
       from generate_series(1, $1) n`,
    [waiting, domains],
  );
  // A few are due, of the middle priorities.
  await database.execute(
    `insert into crawl_tasks (domain_id, url, url_hash, priority, scheduled_at)
     select 1 + n % $1, 'https://due.example/' || n, sha256(('due' || n)::bytea), 4 + n % 3, now() - n * interval '1 s'
       from generate_series(1, 600) n`,
    [domains],
  );
  await database.execute(
    `insert into crawl_policies (domain_id, url, url_hash, frequency_hours, next_run_at)
     select 1 + n % $2, 'https://p.example/' || n, sha256(('p' || n)::bytea), 24,
            case when n <= 50 then now() - interval '1 h' else now() + n * interval '1 s' end
       from generate_series(1, $1) n`,
    [Math.round(waiting / 5), domains],
  );
  await database.execute('alter table crawl_tasks enable trigger user');
}

/** As autovacuum leaves it. */
async function vacuum({ db }: TestDatabase, isAnalysed: boolean): Promise<void> {
  await db.pool.query(isAnalysed ? 'vacuum (analyze) crawl_tasks' : 'vacuum crawl_tasks');
}

const idsOfDue = async (database: TestDatabase): Promise<number[]> =>
  (
    await database.db.query<{ id: number }>(
      "select id from crawl_tasks where url like 'https://due.example/%' order by id limit $1",
      [PORTION],
    )
  ).rows.map(({ id }) => id);

interface Hot {
  readonly name: string;
  readonly file: string;
  readonly values: (database: TestDatabase) => Promise<unknown[]> | unknown[];
  readonly mostBuffers: number;
}

const hot: readonly Hot[] = [
  {
    name: 'finding due tasks',
    file: 'scheduler/find-due-tasks.sql',
    values: () => [PORTION, [], ...FROM_THE_START],
    mostBuffers: 60 + 4 * PORTION,
  },
  {
    name: 'finding due tasks while domains are passed over',
    file: 'scheduler/find-due-tasks.sql',
    values: () => [PORTION, [1, 2, 3], ...FROM_THE_START],
    mostBuffers: 60 + 5 * PORTION,
  },
  {
    name: 'queueing a portion',
    file: 'scheduler/queue-tasks.sql',
    values: async (database) => [await idsOfDue(database)],
    mostBuffers: 80 * PORTION,
  },
  {
    name: 'finding due policies',
    file: 'scheduler/find-due-policies.sql',
    values: () => [PORTION, []],
    mostBuffers: 120,
  },
  {
    name: 'reading when the next is due',
    file: 'scheduler/read-next-due.sql',
    values: () => [],
    mostBuffers: 80,
  },
  {
    name: 'finding late locks',
    file: 'scheduler/find-late-locks.sql',
    values: () => [PORTION, [], 'locked'],
    mostBuffers: 20,
  },
  {
    name: 'finding stale tasks',
    file: 'scheduler/find-stale-tasks.sql',
    values: () => [PORTION, []],
    mostBuffers: 60,
  },
  {
    name: 'finding what was downloaded',
    file: 'scheduler/find-downloaded.sql',
    values: () => [PORTION, []],
    mostBuffers: 20,
  },
  {
    name: 'finding domains to heal',
    file: 'scheduler/find-unnoted-domains.sql',
    values: () => [0, PORTION],
    // What the statements before it have queued and taken back is still in the index.
    mostBuffers: 200,
  },
  {
    name: 'looking at maintenance windows',
    file: 'scheduler/find-in-maintenance.sql',
    values: () => [0, PORTION],
    mostBuffers: 60,
  },
  {
    name: 'whether nobody schedules',
    file: 'control/alerts/find-unscheduled-work.sql',
    values: () => [],
    mostBuffers: 80,
  },
];

describe.each([
  { title: 'without statistics', isAnalysed: false },
  { title: 'with statistics', isAnalysed: true },
])('$title', ({ isAnalysed }) => {
  beforeAll(async () => {
    if (isAnalysed) for (const { execute } of [full, small]) await execute('analyze');
  });

  it.each(hot)('$name touches what it needs, whatever waits', async ({ file, values, mostBuffers }) => {
    const sql = statement(file);
    const inFull = await explain(full, sql, await values(full));
    expect(
      inFull.scanned.filter((name) => /crawl_tasks|crawl_policies/.test(name)),
      inFull.text,
    ).toEqual([]);
    expect(inFull.buffers, inFull.text).toBeLessThanOrEqual(mostBuffers);
    const inSmall = await explain(small, sql, await values(small));
    expect(inSmall.buffers, inSmall.text).toBeLessThanOrEqual(mostBuffers);
  });

  it('a locked domain with most of the due tasks is passed over in the index, once in a tick', async () => {
    const most = 200_000;
    const crowded = await createTestDatabase();
    try {
      await crowded.execute('alter table crawl_tasks set (autovacuum_enabled = off)');
      await plant(crowded, 1500, 50);
      await crowded.execute('alter table crawl_tasks disable trigger user');
      await crowded.execute(
        `insert into crawl_tasks (domain_id, url, url_hash, priority, scheduled_at)
         select 1, 'https://d.example/l' || n, sha256(('l' || n)::bytea), 4, now() - interval '1 day' + n * interval '1 ms'
           from generate_series(1, $1::int) n`,
        [most],
      );
      await vacuum(crowded, isAnalysed);
      const find = statement('scheduler/find-due-tasks.sql');
      const first = await explain(crowded, find, [PORTION, [1], ...FROM_THE_START]);
      // Its entries, of which a page of the index has a hundred or more, and not its rows.
      expect(first.text).toContain('"Index Only Scan"');
      expect(first.buffers, first.text).toBeLessThan(most / 60);
      const { rows } = await crowded.db.query<{ priority: number; scheduledAt: string; id: number }>(find, [
        ...[PORTION, [1], ...FROM_THE_START],
      ]);
      expect(rows).toHaveLength(PORTION);
      const last = rows.at(-1);
      const next = await explain(crowded, find, [PORTION, [1], last?.priority, last?.scheduledAt, last?.id]);
      expect(next.buffers, next.text).toBeLessThan(60 + 5 * PORTION);
    } finally {
      await crowded.drop();
    }
  }, 180_000);

  it('finding due tasks goes through crawl_tasks_due', async () => {
    const { text, removed } = await explain(full, statement('scheduler/find-due-tasks.sql'), [
      ...[PORTION, [], ...FROM_THE_START],
    ]);
    expect(text).toContain('"crawl_tasks_due"');
    expect(removed).toBe(0);
  });
});
