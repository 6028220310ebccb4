/** Lists and counts of tasks that look at so many and no more: in the end every one is found, and none twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TASK_STATUSES } from '../../src/contract/task-shapes.ts';
import { readBatch } from '../../src/control/batches/read-batches.ts';
import { countTasks } from '../../src/control/tasks/count-tasks.ts';
import { listTasks, type TaskFilter } from '../../src/control/tasks/list-tasks.ts';
import { countRestartable } from '../../src/control/tasks/restart-failed.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const TASKS = 2000;
const LOOK = 100;

interface Planted {
  readonly id: number;
  readonly url: string;
  readonly status: string;
  readonly domain_id: number;
  readonly batch_id: number | null;
  readonly parent_task_id: number | null;
  readonly created_by: string;
  readonly priority: number;
  readonly created_at: Date;
}

let database: TestDatabase;
let planted: readonly Planted[];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(`
    insert into domains (domain, parent_domain, base_url)
    select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 5) n;
    insert into crawl_batches (name) values ('one'), ('two');
    insert into crawl_tasks (domain_id, url, url_hash, status, batch_id, created_by, priority, created_at, completed_at)
    select d.id, 'https://x.example/' || case when n % 37 = 0 then 'SHOE' else 'hat' end || '/' || n,
           sha256(n::text::bytea),
           (array['pending', 'completed', 'completed', 'failed', 'queued', 'cancelled'])[1 + n % 6]::task_status,
           case when n % 3 > 0 then (select min(id) from crawl_batches) + n % 2 end,
           (array['user:anna', 'user:bob'])[1 + (n % 11 = 0)::int], 1 + n % 10,
           timestamptz '2026-01-01Z' + (n || ' minutes')::interval, timestamptz '2026-02-01Z' + (n || ' minutes')::interval
      from generate_series(1, ${TASKS}) n
      join (select id, row_number() over (order by id) as place from domains) d on d.place = 1 + n % 5;
    update crawl_tasks set parent_task_id = (select min(id) from crawl_tasks) where id % 13 = 0`);
  planted = (await database.db.query<Planted>('select * from crawl_tasks order by id')).rows;
});
afterAll(() => database.drop());

function expected(filter: TaskFilter, order: 'asc' | 'desc'): number[] {
  const fits = (given: unknown, has: unknown): boolean => given === undefined || given === has;
  const ids = planted
    .filter(
      (task) =>
        fits(filter.status, task.status) &&
        fits(filter.domainId, task.domain_id) &&
        fits(filter.batchId, task.batch_id) &&
        fits(filter.parentTaskId, task.parent_task_id) &&
        fits(filter.createdBy, task.created_by) &&
        fits(filter.priority, task.priority) &&
        (filter.since === undefined || task.created_at >= filter.since) &&
        (filter.until === undefined || task.created_at < filter.until) &&
        (filter.search === undefined || task.url.toLowerCase().includes(filter.search.toLowerCase())),
    )
    .map(({ id }) => id);
  return order === 'asc' ? ids : ids.reverse();
}

async function walk(filter: TaskFilter, order: 'asc' | 'desc', limit: number): Promise<number[]> {
  const ids: number[] = [];
  let after: number | undefined;
  for (;;) {
    const { rows, lookedTo } = await listTasks(database.db, filter, order, after, limit, LOOK);
    expect(rows.length).toBeLessThanOrEqual(limit);
    ids.push(...rows.map(({ id }) => id));
    after = lookedTo ?? (rows.length === limit ? rows.at(-1)?.id : undefined);
    if (after === undefined) return ids;
  }
}

describe.each(['asc', 'desc'] as const)('a list, %s, a look of a hundred at a time', (order) => {
  test.each<[string, () => TaskFilter]>([
    ['all', () => ({})],
    ['a state', () => ({ status: 'failed' })],
    ['a state that none is in', () => ({ status: 'locked' })],
    ['a domain', () => ({ domainId: planted[0]?.domain_id })],
    ['a batch', () => ({ batchId: planted[0]?.batch_id ?? undefined })],
    ['a parent', () => ({ parentTaskId: planted[0]?.id })],
    ['a creator', () => ({ createdBy: 'user:bob' })],
    ['a creator that nobody is', () => ({ createdBy: 'user:nobody' })],
    ['a priority', () => ({ priority: 7 })],
    ['a text', () => ({ search: 'shoe/' })],
    ['a text that is nowhere', () => ({ search: 'glove' })],
    ['a time', () => ({ since: new Date('2026-01-01T20:00:00Z'), until: new Date('2026-01-01T21:30:00Z') })],
    ['a state and a domain', () => ({ status: 'failed', domainId: planted[3]?.domain_id })],
    [
      'a batch, a creator and a text',
      () => ({ batchId: planted[0]?.batch_id ?? 0, createdBy: 'user:anna', search: 'HAT' }),
    ],
  ])('%s: all of them in order', async (_name, filter) => {
    expect(await walk(filter(), order, 17)).toEqual(expected(filter(), order));
  });

  test('where nothing has to be passed over a page is full', async () => {
    for (const filter of [{}, { status: 'completed' }, { createdBy: 'user:anna' }] satisfies TaskFilter[]) {
      const { rows, lookedTo } = await listTasks(database.db, filter, order, undefined, 150, LOOK);
      expect(rows).toHaveLength(150);
      expect(lookedTo).toBeUndefined();
    }
  });
});

describe('counts', () => {
  test('say whether there are more than were counted', async () => {
    const all = await countTasks(database.db, {});
    expect(all).toMatchObject({ total: TASKS, isPartial: false });
    expect(
      Object.keys(all.byStatus).every((name) => (TASK_STATUSES as readonly string[]).includes(name)),
    ).toBe(true);
    expect(await countTasks(database.db, {}, 500)).toMatchObject({ total: 501, isPartial: true });
    expect(await countTasks(database.db, {}, TASKS)).toMatchObject({ total: TASKS, isPartial: false });
  });

  test('of the newest, with what else is asked for', async () => {
    const domainId = planted[0]?.domain_id;
    const batchId = planted[0]?.batch_id ?? undefined;
    const since = planted[TASKS - 100]?.created_at;
    for (const filter of [{ domainId }, { batchId }, { domainId, batchId }, { since }, { domainId, since }]) {
      const { total, isPartial } = await countTasks(database.db, filter);
      expect({ total, isPartial }).toEqual({ total: expected(filter, 'asc').length, isPartial: false });
    }
    expect(await countTasks(database.db, { since }, 500)).toMatchObject({ total: 100, isPartial: true });
    expect(await countTasks(database.db, { domainId }, 100)).toMatchObject({ total: 101, isPartial: true });
  });

  test('of a batch, too', async () => {
    const batch = await readBatch(database.db, 'one');
    expect(batch).toMatchObject({ total: expected({ batchId: batch.id }, 'asc').length, isPartial: false });
    expect(await readBatch(database.db, ' one ', 50)).toMatchObject({
      id: batch.id,
      total: 51,
      isPartial: true,
    });
  });

  test('of failed tasks, whatever is to be restarted of them', async () => {
    const failed = expected({ status: 'failed' }, 'asc').length;
    expect(await countRestartable(database.db, {}, 10)).toMatchObject({
      ...{ restarted: 10, skipped: 0, matched: failed, isPartial: false, isDryRun: true },
    });
    expect(await countRestartable(database.db, {}, 10, 50)).toMatchObject({ matched: 51, isPartial: true });
    expect(
      await countRestartable(database.db, { failedAfter: new Date('2026-02-02T00:00:00Z') }, 1000),
    ).toMatchObject({
      matched: planted.filter(({ status }, n) => status === 'failed' && n + 1 >= 1440).length,
    });
  });
});
