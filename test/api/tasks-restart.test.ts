/** Restarting a task that has not begun: what comes with the request is meant. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from domains');
  await server.database.execute('delete from audit_log');
});

async function submit(fields: Record<string, unknown> = {}): Promise<number> {
  const answer = await admin.post('/api/admin/tasks', { url: 'https://a.example/', ...fields });
  return (answer.body as { id: number }).id;
}
const restart = (id: number, body?: unknown) => admin.post(`/api/admin/tasks/${id}/restart`, body);
const actsOf = async (): Promise<unknown[]> =>
  (await server.database.db.query("select details from audit_log where action = 'task.restart'")).rows;
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

test('a pending one takes the priority and the time, and says that it was changed; nothing asked is nothing changed', async () => {
  const id = await submit({ scheduledAt: inHours(5) });
  const at = inHours(2);
  expect((await restart(id, { priority: 1, scheduledAt: at })).body).toMatchObject({
    ...{ changed: true, from: 'pending', task: { status: 'pending', priority: 1, scheduledAt: at } },
  });
  expect(await actsOf()).toMatchObject([{ details: { from: 'pending', priority: 1, scheduledAt: at } }]);
  expect((await restart(id, { priority: 1, scheduledAt: at })).body).toMatchObject({ changed: false });
  expect((await restart(id)).body).toMatchObject({ changed: false, task: { priority: 1, scheduledAt: at } });
  expect(await actsOf()).toHaveLength(1);
});

test('a time a little back means now, also for one that is scheduled for later', async () => {
  const id = await submit({ scheduledAt: inHours(5) });
  const answer = await restart(id, { scheduled_at: inHours(-0.01) });
  const { changed, task } = answer.body as { changed: boolean; task: { scheduledAt: string } };
  expect(changed).toBe(true);
  expect(Math.abs(Date.parse(task.scheduledAt) - Date.now())).toBeLessThan(60_000);
});

test('a queued one takes the priority, which its domain hears of; its time has come and is not set anew', async () => {
  const id = await submit();
  await server.database.execute("update crawl_tasks set status = 'queued' where id = $1", [id]);
  expect((await restart(id, { priority: 2 })).body).toMatchObject({
    ...{ changed: true, from: 'queued', task: { status: 'queued', priority: 2 } },
  });
  const { rows } = await server.database.db.query('select task_priority from domains');
  expect(rows).toEqual([{ task_priority: 2 }]);
  const refused = await restart(id, { priority: 3, scheduledAt: inHours(2) });
  expect(refused.problem).toMatchObject({ status: 409, code: 'wrong-state' });
  expect(refused.problem?.hint).toContain('cancel it and restart it');
  expect((await admin.get(`/api/admin/tasks/${id}`)).body).toMatchObject({ priority: 2 });
});
