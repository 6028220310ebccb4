/** Tasks that wait for another: let go when it is completed, when it is removed, and when its page has another task. */
import { beforeEach, describe, expect, test } from 'vitest';
import { moveRows } from '../../src/control/backfill/move-rows.ts';
import { removeDomain } from '../../src/control/domains/remove-domain.ts';
import { submitTask } from '../../src/control/tasks/submit-tasks.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { hashOf, moveTask, plantDomain, plantTask, readRow, tick } from '../support/scheduling.ts';

let database: TestDatabase;
let domain: number;
beforeEach(async () => {
  database = await createTestDatabase();
  domain = await plantDomain(database, 'a.example');
  return () => database.drop();
});

const minuteAgo = new Date(Date.now() - 60_000);
const tester = { name: 'tester' };

interface Waiting {
  readonly status: string;
  readonly is_waiting: boolean;
  readonly parent_task_id: number | null;
}

const look = async (id: number): Promise<Waiting> => {
  const { status, is_waiting, parent_task_id } = await readRow<Waiting>(database, 'crawl_tasks', id);
  return { status, is_waiting, parent_task_id };
};

const plantChild = (parent: number, of = domain): Promise<number> =>
  plantTask(database, of, { parent_task_id: parent, is_waiting: true, scheduled_at: minuteAgo });

const plantChildren = (parent: number, count: number): Promise<unknown> =>
  database.execute(
    `insert into crawl_tasks (domain_id, url, url_hash, parent_task_id, is_waiting, scheduled_at)
     select $1, 'https://a.example/' || n, sha256(($2::bigint || '.' || n)::bytea), $2, true, $4
       from generate_series(1, $3) n`,
    [domain, parent, count, minuteAgo],
  );

async function countWaiting(): Promise<number> {
  const { rows } = await database.db.query<{ count: number }>(
    'select count(*)::int as count from crawl_tasks where is_waiting',
  );
  return rows[0]?.count ?? 0;
}

async function countReleases(): Promise<number> {
  return (await database.db.query('select from task_releases')).rowCount;
}

describe('tasks that wait for one that is completed', () => {
  test('are let go with it where they are a few', async () => {
    const parents = [
      await plantTask(database, domain, { status: 'crawling' }),
      await plantTask(database, domain),
    ];
    const [first, second] = parents as [number, number];
    await plantChildren(first, 150);
    const other = await plantChild(second);
    await moveTask(database, first, 'completed');
    expect(await countWaiting()).toBe(1);
    expect(await look(other)).toMatchObject({ is_waiting: true });
    expect(await countReleases()).toBe(0);
  });

  test('are let go by the scheduler, in portions, where they are thousands; and are queued in the same tick', async () => {
    const parent = await plantTask(database, domain, { status: 'crawling' });
    await plantChildren(parent, 2500);
    await moveTask(database, parent, 'completed');
    expect(await countWaiting()).toBe(2500);
    expect(await countReleases()).toBe(1);
    let [released, queued] = [0, 0];
    await waitUntil(async () => {
      const { counts } = await tick(database);
      released += counts.released ?? 0;
      queued += counts.queued ?? 0;
      return queued === 2500 ? true : undefined;
    });
    expect(released).toBe(2500);
    expect(await countWaiting()).toBe(0);
    expect(await countReleases()).toBe(0);
  });

  test('go on waiting where it was restarted before their turn came, and are let go when it is completed again', async () => {
    const parent = await plantTask(database, domain, { status: 'crawling' });
    await plantChildren(parent, 300);
    await moveTask(database, parent, 'completed', 'pending');
    await tick(database);
    expect(await countWaiting()).toBe(300);
    expect(await countReleases()).toBe(0);
    await moveTask(database, parent, 'crawling', 'completed');
    await tick(database);
    expect(await countWaiting()).toBe(0);
  });

  test('are passed over while somebody has them in hand, and the rest is let go', async () => {
    const parent = await plantTask(database, domain, { status: 'crawling' });
    await plantChildren(parent, 250);
    await moveTask(database, parent, 'completed');
    await inTransaction(database.db, async (tx) => {
      await tx.query('select id from crawl_tasks where is_waiting order by id limit 1 for update');
      const report = await tick(database);
      expect(report).toMatchObject({ counts: { released: 249 }, isHeldUp: true });
    });
    expect(await countReleases()).toBe(1);
    await tick(database);
    expect(await countWaiting()).toBe(0);
    expect(await countReleases()).toBe(0);
  });
});

describe('a task that is submitted while its parent is being completed', () => {
  const submit = (parent: number): Promise<{ readonly id: number }> =>
    submitTask(
      database.db,
      { url: 'https://a.example/child', parentTaskId: parent },
      { unknownDomains: 'create', allowPrivate: false },
      tester,
    );

  test('waits for that, and then does not wait', async () => {
    const parent = await plantTask(database, domain, { status: 'crawling' });
    let submitted: Promise<{ readonly id: number }> | undefined;
    await inTransaction(database.db, async (tx) => {
      await tx.query("update crawl_tasks set status = 'completed' where id = $1", [parent]);
      submitted = submit(parent);
      await waitUntil(async () => ((await countBlocked()) > 0 ? true : undefined));
    });
    const id = (await submitted)?.id ?? 0;
    expect(await look(id)).toEqual({ status: 'pending', is_waiting: false, parent_task_id: parent });
  });

  test('or is waited for, and then let go', async () => {
    const parent = await plantTask(database, domain, { status: 'crawling' });
    let completed: Promise<unknown> | undefined;
    const child = await inTransaction(database.db, async (tx) => {
      await tx.query('select id from crawl_tasks where id = $1 for no key update', [parent]);
      const { rows } = await tx.query<{ id: number }>(
        `insert into crawl_tasks (domain_id, url, url_hash, parent_task_id, is_waiting)
         values ($1, 'https://a.example/child', $2, $3, true) returning id`,
        [domain, hashOf('child'), parent],
      );
      completed = moveTask(database, parent, 'completed');
      await waitUntil(async () => ((await countBlocked()) > 0 ? true : undefined));
      return rows[0]?.id ?? 0;
    });
    await completed;
    expect(await look(child)).toMatchObject({ is_waiting: false });
  });

  const countBlocked = async (): Promise<number> =>
    (
      await database.db.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount;
});

describe('a task whose parent is removed with its domain', () => {
  test('waits for nobody, and is queued', async () => {
    const going = await plantDomain(database, 'going.example');
    const parent = await plantTask(database, going);
    const inside = await plantChild(parent, going);
    const child = await plantChild(parent);
    const grandchild = await plantChild(child);
    await removeDomain(database.db, 'going.example', 0, tester);
    await tick(database);
    expect(await look(child)).toEqual({ status: 'queued', is_waiting: false, parent_task_id: null });
    expect(await look(grandchild)).toEqual({ status: 'pending', is_waiting: true, parent_task_id: child });
    await expect(look(inside)).rejects.toThrow('no row');
  });

  test('no task waits for nothing', async () => {
    await expect(plantTask(database, domain, { is_waiting: true })).rejects.toThrow(
      'crawl_tasks_waits_for_one',
    );
  });
});

describe('of two tasks for a page of domains that become one', () => {
  let other: number;
  beforeEach(async () => {
    other = await plantDomain(database, 'www.a.example');
  });
  const plantTwin = (of: number, columns: Readonly<Record<string, unknown>> = {}): Promise<number> => {
    const url = 'https://a.example/x';
    return plantTask(database, of, { url, url_hash: hashOf(url), ...columns });
  };
  const merge = (): Promise<unknown> =>
    inTransaction(database.db, (tx) => moveRows(tx, [{ fromId: other, host: undefined, toId: domain }]));

  test('the children of the one that is cancelled wait for the other', async () => {
    const kept = await plantTwin(domain, { status: 'crawling' });
    const twin = await plantTwin(other, { status: 'queued' });
    const child = await plantChild(twin);
    await merge();
    expect(await look(twin)).toMatchObject({ status: 'cancelled' });
    expect(await look(child)).toEqual({ status: 'pending', is_waiting: true, parent_task_id: kept });
    await moveTask(database, kept, 'completed');
    expect(await look(child)).toMatchObject({ is_waiting: false });
  });

  test('none waits for itself, by way of others neither', async () => {
    const kept = await plantTwin(domain);
    const twin = await plantTwin(other, { status: 'queued' });
    const between = await plantChild(twin);
    const free = await plantChild(twin);
    await database.execute('update crawl_tasks set parent_task_id = $2, is_waiting = true where id = $1', [
      ...[kept, between],
    ]);
    await merge();
    expect(await look(between)).toEqual({ status: 'pending', is_waiting: false, parent_task_id: null });
    expect(await look(kept)).toEqual({ status: 'pending', is_waiting: true, parent_task_id: between });
    expect(await look(free)).toEqual({ status: 'pending', is_waiting: true, parent_task_id: kept });
  });
});
