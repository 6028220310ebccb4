/** Whether a large batch has had a page already: found by the page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byteaArray, numberArray } from '../../src/platform/pg-array.ts';
import { explain } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const TASKS = 60_000;
const PAGES = 1000;
const file = path.resolve(import.meta.dirname, '../../src/control/tasks/find-batch-pages.sql');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(`
    insert into domains (domain, parent_domain, base_url)
    select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 5) n;
    insert into crawl_batches (name) values ('large');
    insert into crawl_tasks (domain_id, url, url_hash, status, batch_id)
    select d.id, 'https://x.example/' || n, sha256(n::text::bytea),
           (array['completed', 'completed', 'failed', 'pending'])[1 + n % 4]::task_status,
           (select min(id) from crawl_batches)
      from generate_series(1, ${TASKS}) n
      join (select id, row_number() over (order by id) as place from domains) d on d.place = 1 + n % 5;
    analyze`);
}, 180_000);
afterAll(() => database.drop());

it.each([true, false])('costs as much as there are pages asked for (generic plan: %s)', async (isGeneric) => {
  const { rows } = await database.db.query<{ domain_id: number; url_hash: Buffer; batch_id: number }>(
    `select domain_id, url_hash, batch_id from crawl_tasks order by id desc limit ${PAGES}`,
  );
  const values = [
    rows[0]?.batch_id,
    numberArray(rows.map((row) => row.domain_id)),
    byteaArray(rows.map((row) => row.url_hash)),
  ];
  const plan = await explain(database, readFileSync(file, 'utf8'), values, { isGeneric });
  expect(plan.scanned, plan.text).toEqual([]);
  expect(plan.buffers, plan.text).toBeLessThan(PAGES * 8);
});
