/** What lists and moves of tasks touch: as much as they show or move, however many tasks there are. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explain, type PlanFacts } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const TASKS = 100_000;
const ROWS = 51;
/** A row costs an entry of the index, its task, and the names of its domain, policy and batch. */
const MOST_BUFFERS = ROWS * 12 + 60;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(`
    insert into domains (domain, parent_domain, base_url)
    select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 500) n;
    insert into crawl_batches (name) select 'batch ' || n from generate_series(1, 200) n;
    insert into crawl_tasks (domain_id, url, url_hash, status, batch_id, completed_at)
    select d.id, 'https://x.example/' || n, sha256(n::text::bytea),
           (array['pending', 'queued', 'completed', 'completed', 'completed', 'failed'])[1 + n % 6]::task_status,
           (select min(id) from crawl_batches) + n / 1000, now()
      from generate_series(1, ${TASKS}) n
      join (select id, row_number() over (order by id) as place from domains) d on d.place = 1 + n % 500;
    analyze`);
}, 180_000);
afterAll(() => database.drop());

const control = path.resolve(import.meta.dirname, '../../src/control');
const statement = (file: string): string => readFileSync(path.join(control, file), 'utf8');

interface Choice {
  readonly status?: string;
  readonly domainId?: number;
  readonly batchId?: number;
  readonly after?: number;
}

function list({ status, domainId, batchId, after }: Choice, order: 'asc' | 'desc'): Promise<PlanFacts> {
  const text = statement('tasks/list-tasks.sql');
  const ordered =
    order === 'desc' ? text : text.replace('t.id < $12', 't.id > $12').replace('t.id desc', 't.id asc');
  const nothing = new Array<null>(7).fill(null);
  return explain(database, ordered, [
    ...[null, status ?? null, domainId ?? null, batchId ?? null, ...nothing, after ?? null, ROWS],
  ]);
}

async function firstIds(): Promise<{ task: number; domain: number; batch: number }> {
  const { rows } = await database.db.query<{ task: number; domain: number; batch: number }>(
    `select (select min(id) from crawl_tasks) as task, (select min(id) from domains) as domain,
            (select min(id) from crawl_batches) as batch`,
  );
  return rows[0] ?? { task: 0, domain: 0, batch: 0 };
}

it.each(['asc', 'desc'] as const)(
  'a far page of a list costs what the first does, %s, with or without a filter',
  async (order) => {
    const { task, domain, batch } = await firstIds();
    const far = task + TASKS / 2;
    for (const choice of [{}, { status: 'failed' }, { domainId: domain + 7 }, { batchId: batch + 50 }]) {
      for (const after of [undefined, far]) {
        const { buffers, text } = await list({ ...choice, ...(after === undefined ? {} : { after }) }, order);
        expect(buffers, `${JSON.stringify(choice)} ${after} ${text}`).toBeLessThan(MOST_BUFFERS);
      }
    }
  },
);

it('portions of a batch and of the failed are found without looking at the rest', async () => {
  const { task, batch } = await firstIds();
  const portion = [batch + 50, ['completed', 'failed', 'cancelled', 'expired'], null, null, 1000];
  const ofBatch = await explain(database, statement('batches/find-batch-tasks.sql'), portion);
  expect(ofBatch.scanned, ofBatch.text).toEqual([]);
  expect(ofBatch.removed, ofBatch.text).toBeLessThan(1000);
  const failed = await explain(database, statement('tasks/find-failed-tasks.sql'), [
    ...[task + TASKS / 2, null, null, null, 1000],
  ]);
  expect(failed.scanned, failed.text).toEqual([]);
  expect(failed.buffers, failed.text).toBeLessThan(1000 * 4);
});

it('a duplicate is found by the index of the live ones', async () => {
  const { rows } = await database.db.query<{ domain_id: number; url_hash: Buffer }>(
    'select domain_id, url_hash from crawl_tasks order by id limit 100',
  );
  const plan = await explain(database, statement('tasks/find-live-tasks.sql'), [
    rows.map((row) => row.domain_id),
    rows.map((row) => row.url_hash),
  ]);
  expect(plan.scanned, plan.text).toEqual([]);
  expect(plan.buffers, plan.text).toBeLessThan(100 * 8);
});
