/** Policies and tasks that somebody else ordered for the same page; and what the tasks of a policy follow. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { moveTask, tick } from '../support/scheduling.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());

interface Told extends Record<string, unknown> {
  readonly id: number;
  readonly policyId: number;
}
const post = async (path: string, body?: unknown): Promise<Told> =>
  (await admin.post(`/api/admin/${path}`, body)).body as Told;
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

test('a task for later is the first run of a new policy, which says so; running the policy brings it forward', async () => {
  const url = 'https://later.example/';
  const at = inHours(50);
  const { id: taskId } = await post('tasks', { url, scheduledAt: at });
  const policy = await post('policies', { url, frequencyHours: 1 });
  expect(policy).toMatchObject({
    ...{ liveTaskId: taskId, liveTaskStatus: 'pending', liveTaskScheduledAt: at, runsCount: 1 },
  });
  await tick(server.database);
  expect((await admin.get(`/api/admin/tasks/${taskId}`)).body).toMatchObject({ status: 'pending' });
  const run = await post(`policies/${policy.id}/run`);
  expect(run).toMatchObject({ changed: true, isBroughtForward: true, taskId, taskStatus: 'pending' });
  expect(Date.parse(String(run.liveTaskScheduledAt))).toBeLessThan(Date.now() + 60_000);
  await tick(server.database);
  expect(await post(`policies/${policy.id}/run`)).toMatchObject({
    ...{ changed: false, isBroughtForward: false, taskId, taskStatus: 'queued' },
  });
});

test('a paused one stays paused: that is told', async () => {
  const url = 'https://paused.example/';
  const { id: taskId } = await post('tasks', { url, scheduledAt: inHours(50) });
  await post(`tasks/${taskId}/pause`);
  const policy = await post('policies', { url, frequencyHours: 1 });
  expect(policy).toMatchObject({ liveTaskId: taskId, liveTaskStatus: 'paused' });
  expect(await post(`policies/${policy.id}/run`)).toMatchObject({
    ...{ changed: false, isBroughtForward: false, taskId, taskStatus: 'paused' },
  });
});

test('one that is run later, or is off, leaves the task alone', async () => {
  const url = 'https://alone.example/';
  await post('tasks', { url, scheduledAt: inHours(1) });
  const off = await post('policies', { url, frequencyHours: 1, isEnabled: false });
  expect(off).toMatchObject({ liveTaskId: null, runsCount: 0 });
});

test('its tasks follow the pages they name as the first one did, and as it is set later', async () => {
  const order = { url: 'https://deep.example/', isRecurring: true, followDepth: 2, followLimit: 7 };
  const { id, policyId } = await post('tasks', order);
  const read = async () => (await admin.get(`/api/admin/policies/${policyId}`)).body;
  expect(await read()).toMatchObject({ followDepth: 2, followLimit: 7 });
  const finish = async (task: number): Promise<number> => {
    await tick(server.database);
    await moveTask(server.database, task, 'crawling', 'completed');
    return Number((await post(`policies/${policyId}/run`)).taskId);
  };
  const second = await finish(id);
  expect((await admin.get(`/api/admin/tasks/${second}`)).body).toMatchObject({
    ...{ policyId, followDepth: 2, followLimit: 7, recrawlCount: 1 },
  });
  const set = await admin.patch(`/api/admin/policies/${policyId}`, { follow_depth: 1, followLimit: 9 });
  expect(set.body).toMatchObject({ followDepth: 1, followLimit: 9 });
  const third = await finish(second);
  expect((await admin.get(`/api/admin/tasks/${third}`)).body).toMatchObject({
    followDepth: 1,
    followLimit: 9,
  });
  const made = { url: 'https://deep.example/2', frequencyHours: 2 };
  expect(await post('policies', { ...made, followDepth: 3 })).toMatchObject({
    followDepth: 3,
    followLimit: 100,
  });
  expect((await admin.post('/api/admin/policies', { ...made, followDepth: 6 })).problem?.code).toBe(
    'invalid',
  );
});
