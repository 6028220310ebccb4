/**
 * What the lists of errors, dead letters and deliveries touch, and what a sender of webhooks does: as much as they show
 * or take, on whatever page of the list, however rare what is looked for.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const MANY = 100_000;
const ROWS = 51;
/** A row of a list costs an entry of the index, its row, and the rows of its domain and task. */
const MOST_BUFFERS = ROWS * 12 + 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { execute } = database;
  for (const table of ['error_logs', 'dead_letters', 'webhook_deliveries', 'crawl_tasks', 'domains']) {
    await execute(`alter table ${table} set (autovacuum_enabled = off)`);
  }
  await execute(`insert into domains (domain, parent_domain, base_url)
    select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 100) n`);
  // What is rare is old: whoever looks for it from the latest on would pass all the rest.
  await execute(`insert into error_logs (task_id, domain_id, url, category, code, message, occurred_at)
    select n, case when n <= 60 then 1 else 2 + n % 99 end, 'https://x.example/' || n,
           case when n <= 60 then 'proxy' else 'network' end, case when n <= 60 then 'rare' else 'timeout' end, 'm',
           now() - (${MANY} - n) * interval '10 seconds'
      from generate_series(1, ${MANY}) as n`);
  await execute(`insert into dead_letters (queue, domain_id, reason, requeued_at)
    select case when n <= 60 then 'parse_queue' else 'crawl_queue' end, case when n <= 60 then 1 else 2 + n % 99 end,
           'reason', case when n > ${MANY / 2} and n % 100 <> 0 then now() end
      from generate_series(1, ${MANY}) as n`);
  await execute(`insert into webhooks (url, events, secret)
    select 'https://x.example/', '{task.failed}', '' from generate_series(1, 3)`);
  await execute(`insert into webhook_deliveries (webhook_id, message_id, event, payload, state, next_attempt_at)
    select case when n <= 60 then 1 else 2 end, 'msg_' || n, 'task.failed', '{}',
           case when n <= 120 then 'failed' when n > ${MANY / 2} then 'pending' else 'delivered' end, now()
      from generate_series(1, ${MANY}) as n`);
}, 180_000);
afterAll(() => database.drop());

const control = path.resolve(import.meta.dirname, '../../src/control');
const statement = (name: string): string => readFileSync(path.join(control, `${name}.sql`), 'utf8');
const halfway = () => new Date(Date.now() - (MANY / 2) * 10_000);

const errors = (filter: readonly unknown[], before: readonly unknown[] = [null, null]) =>
  explain(database, statement('errors/list-errors'), [...filter, ...before, ROWS]);
const letters = (values: readonly unknown[]) =>
  explain(database, statement('dead-letters/list-dead-letters'), [...values, ROWS]);
const deliveries = (values: readonly unknown[]) =>
  explain(database, statement('webhooks/list-deliveries'), [...values, ROWS]);

function touchLittle(): void {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['all', [null, null, null, null, null, null], [null, null]],
    ['all, far down', [null, null, null, null, null, null], ['half', MANY / 2]],
    ['of a rare category', ['proxy', null, null, null, null, null], [null, null]],
    ['of a rare domain', [null, 1, null, null, null, null], [null, null]],
    ['of a rare code', [null, null, null, 'rare', null, null], [null, null]],
    ['of a task', [null, null, 7, null, null, null], [null, null]],
    ['of a time long ago', [null, null, null, null, null, 'half'], [null, null]],
    ['of a common category, long ago', ['network', null, null, null, null, 'half'], [null, null]],
  ])('errors: %s', async (_what, filter, before) => {
    const fill = (values: readonly unknown[]) => values.map((one) => (one === 'half' ? halfway() : one));
    const { buffers, scanned, text } = await errors(fill(filter), fill(before));
    expect(
      scanned.filter((name) => name === 'error_logs'),
      text,
    ).toEqual([]);
    expect(buffers, text).toBeLessThan(MOST_BUFFERS);
  });

  it.each<[string, readonly unknown[]]>([
    ['all', [null, null, null]],
    ['all, far down', [MANY / 4, null, null]],
    ['of a rare queue', [null, 'parse_queue', null]],
    ['of a rare domain', [null, null, 1]],
  ])('dead letters: %s', async (_what, values) => {
    const { buffers, scanned, text } = await letters(values);
    expect(
      scanned.filter((name) => name === 'dead_letters'),
      text,
    ).toEqual([]);
    expect(buffers, text).toBeLessThan(MOST_BUFFERS);
  });

  it.each<[string, readonly unknown[]]>([
    ['all', [2, null, null]],
    ['all, far down', [2, MANY / 4, null]],
    ['those that failed, which are rare', [2, null, 'failed']],
    ['of a webhook with few', [1, null, null]],
  ])('deliveries: %s', async (_what, values) => {
    const { buffers, scanned, text } = await deliveries(values);
    expect(
      scanned.filter((name) => name === 'webhook_deliveries'),
      text,
    ).toEqual([]);
    expect(buffers, text).toBeLessThan(MOST_BUFFERS);
  });

  it('a sender takes a few of fifty thousand that are due', async () => {
    const values = [32, 4, '{}', '{}', '{}', 'sender', 60];
    const { buffers, scanned, text } = await explain(database, statement('webhooks/take-deliveries'), values);
    expect(
      scanned.filter((name) => name === 'webhook_deliveries'),
      text,
    ).toEqual([]);
    expect(buffers, text).toBeLessThan(MOST_BUFFERS);
  });
}

describe('nobody has analysed the tables yet', touchLittle);
describe('with statistics', () => {
  beforeAll(() => database.execute('analyze'));
  touchLittle();
});
