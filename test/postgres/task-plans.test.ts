/** What lists and moves of tasks touch: as much as they show or move, however many tasks there are. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TaskFilter } from '../../src/control/tasks/list-tasks.ts';
import { chooseWalk, turnRound, walkAlong } from '../../src/control/tasks/walk-index.ts';
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
    insert into crawl_tasks (domain_id, url, url_hash, status, batch_id, completed_at, created_by)
    select d.id, 'https://x.example/' || n, sha256(n::text::bytea),
           case when n <= 500 then 'paused' when n > ${TASKS - 500} then 'cancelled'
                else (array['pending', 'queued', 'completed', 'completed', 'completed', 'failed'])[1 + n % 6]
           end::task_status,
           (select min(id) from crawl_batches) + n / 1000, now(),
           case when n <= 500 then 'user:first' when n > ${TASKS - 500} then 'user:last' else 'scheduler' end
      from generate_series(1, ${TASKS}) n
      join (select id, row_number() over (order by id) as place from domains) d on d.place = 1 + n % 500;
    analyze`);
}, 180_000);
afterAll(() => database.drop());

const control = path.resolve(import.meta.dirname, '../../src/control');
const statement = (file: string): string => readFileSync(path.join(control, file), 'utf8');

type Choice = Pick<TaskFilter, 'status' | 'domainId' | 'batchId' | 'createdBy'>;

/** As listTasks asks, for one filter. */
function list(choice: Choice, after: number | undefined, order: 'asc' | 'desc'): Promise<PlanFacts> {
  const { status, domainId, batchId, createdBy } = choice;
  const walk = chooseWalk(choice);
  const parameter = { status: 2, domainId: 3, batchId: 4, policyId: 5, parentTaskId: 6, createdBy: 7 };
  const text = walkAlong(statement('tasks/list-tasks.sql'), walk, walk === undefined ? 0 : parameter[walk]);
  return explain(database, order === 'desc' ? text : turnRound(text), [
    ...[null, status ?? null, domainId ?? null, batchId ?? null, null, null, createdBy ?? null],
    ...[null, null, null, null, after ?? null, ROWS, null],
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
    const choices: Choice[] = [
      ...[{}, { status: 'failed' as const }, { domainId: domain + 7 }, { batchId: batch + 50 }],
      // The one end of the table, looked for from the other, would be behind all the rest.
      ...[{ status: 'paused' as const }, { status: 'cancelled' as const }],
      ...[{ createdBy: 'user:first' }, { createdBy: 'user:last' }, { createdBy: 'user:nobody' }],
    ];
    for (const choice of choices) {
      for (const after of [undefined, far]) {
        const { buffers, text } = await list(choice, after, order);
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

it('a look for where a look ends, and a count, touch no more than they look at', async () => {
  const { domain } = await firstIds();
  const edge = statement('tasks/find-edge.sql');
  for (const [walk, value] of [[undefined], ['status', 'completed'], ['createdBy', 'scheduler']] as const) {
    for (const text of [edge, turnRound(edge)]) {
      const values = [null, 2000, ...(value === undefined ? [] : [value])];
      const plan = await explain(database, walkAlong(text, walk, 3), values);
      expect(plan.scanned, plan.text).toEqual([]);
      expect(plan.buffers, plan.text).toBeLessThan(2000 * 3);
    }
  }
  const count = statement('tasks/count-tasks.sql');
  const all = await explain(database, count, [null, null, null, 2000]);
  expect(all.buffers, all.text).toBeLessThan(2000 * 3);
  const ofDomain = await explain(database, walkAlong(count, 'domainId', 2), [null, domain + 7, null, 2000]);
  expect(ofDomain.buffers, ofDomain.text).toBeLessThan(600);
});
