/** Many proxies and many pools: a page costs what the first one costs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql } from '../../src/platform/sql-file.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into proxies (proxy_url, proxy_port) select 'p' || n || '.example', 80 from generate_series(1, 30000) n;
     insert into domains (domain, parent_domain, base_url)
     select 'd' || n || '.example', 'd' || n || '.example', 'https://d' || n || '.example' from generate_series(1, 3000) n;
     insert into domain_proxies (domain_id, proxy_id, is_assigned)
     select d, d * 10 + n, d <= 1000 from generate_series(1, 2900) d, generate_series(1, 5) n;
     insert into proxy_usage (proxy_id, domain_id, minute, requests_count)
     select d * 10 + 1, d, date_trunc('minute', now()) - m * interval '1 minute', 1
       from generate_series(1, 2900) d, generate_series(0, 9) m;
     analyze`,
  );
});
afterAll(() => database.drop());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows that were touched anywhere in the plan. */
async function countTouched(file: string, values: readonly unknown[]): Promise<number> {
  const sql = loadSql(import.meta.url, `../../src/control/${file}`);
  const { rows } = await database.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json, timing off) ${sql}`,
    values,
  );
  const add = (plan: Plan): number =>
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
    (plan.Plans ?? []).reduce((sum, part) => sum + add(part), 0);
  const [explained] = rows;
  return explained === undefined ? Number.NaN : add(explained['QUERY PLAN'][0].Plan);
}

const anything = [null, null, null, null, null, null, null];

test('a late page of the list touches no more than the first', async () => {
  const first = await countTouched('proxies/list-proxies.sql', [null, 51, ...anything]);
  const late = await countTouched('proxies/list-proxies.sql', [2000, 51, ...anything]);
  expect(first).toBeLessThan(1500);
  expect(late).toBeLessThan(1500);
});

test('a late page of the health of pools touches no more than the first', async () => {
  const first = await countTouched('proxies/list-pool-health.sql', [null, 51]);
  const late = await countTouched('proxies/list-pool-health.sql', [2500, 51]);
  expect(first).toBeLessThan(6000);
  expect(late).toBeLessThan(6000);
});

test('one pool is read without looking at others', async () => {
  expect(await countTouched('proxies/list-pool.sql', [500, null, null, true, 51])).toBeLessThan(200);
  expect(await countTouched('proxies/read-pair.sql', [500, 5001])).toBeLessThan(100);
});

test('nobody waits for a proxy: finding that out looks at no domain', async () => {
  expect(await countTouched('proxies/wake-waiting.sql', ['{1,2,3}', true])).toBeLessThan(50);
});

test('the size of a pool is found without going through all proxies, where it has one', async () => {
  expect(await countTouched('proxies/measure-pool.sql', [500])).toBeLessThan(500);
});
