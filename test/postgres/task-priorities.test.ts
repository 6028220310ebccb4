/** What the row of a domain says of its queued tasks, after a person has taken some of them away. */
import { beforeEach, expect, test } from 'vitest';
import { moveBatch } from '../../src/control/batches/move-batch.ts';
import { actOnTask } from '../../src/control/tasks/act-on-task.ts';
import { changePriority } from '../../src/control/tasks/change-task.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantDomain, plantTask, readRow } from '../support/scheduling.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const tester = { name: 'tester' };
const plantBusy = (name: string): Promise<number> => plantDomain(database, name, { task_priority: 1 });
const priorityOf = async (domain: number): Promise<number | null> =>
  (await readRow<{ task_priority: number | null }>(database, 'domains', domain)).task_priority;

test.each(['pause', 'cancel'] as const)(
  '%s of the most urgent leaves what the others are',
  async (action) => {
    const domain = await plantBusy('a.example');
    const urgent = await plantTask(database, domain, { status: 'queued', priority: 1 });
    const other = await plantTask(database, domain, { status: 'queued', priority: 7 });
    await actOnTask(database.db, urgent, action, tester);
    expect(await priorityOf(domain)).toBe(7);
    await changePriority(database.db, other, 4, tester);
    expect(await priorityOf(domain)).toBe(4);
    await actOnTask(database.db, other, action, tester);
    expect(await priorityOf(domain)).toBeNull();
  },
);

test('a batch that is paused leaves what the other tasks of each of its domains are', async () => {
  const domains = [await plantBusy('a.example'), await plantBusy('b.example'), await plantBusy('c.example')];
  const [a = 0, b = 0, c = 0] = domains;
  const { rows } = await database.execute<{ id: number }>(
    "insert into crawl_batches (name) values ('batch') returning id",
  );
  const batch = rows[0]?.id ?? 0;
  for (const domain of [a, b]) {
    await plantTask(database, domain, { status: 'queued', priority: 1, batch_id: batch });
  }
  await plantTask(database, a, { status: 'queued', priority: 3 });
  await plantTask(database, c, { status: 'queued', priority: 1 });
  await moveBatch(database.db, batch, 'pause', tester);
  expect(await Promise.all(domains.map(priorityOf))).toEqual([3, null, 1]);
});
