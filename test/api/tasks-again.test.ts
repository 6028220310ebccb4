/** Orders of a batch that are sent again. */
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
  await server.database.execute('delete from crawl_batches');
});

const TASKS = [
  { url: 'https://a.example/1', ref: 'first' },
  { url: 'https://a.example/2' },
  { url: 'https://b.example/3' },
];
const send = (fields: Record<string, unknown>, tasks: unknown[] = TASKS) =>
  admin.post('/api/admin/tasks/bulk', { tasks, batchName: 'B', ...fields });

async function sendFirst(): Promise<number[]> {
  const { ids } = (await send({})).body as { ids: number[] };
  for (const step of ['queued', 'crawling', 'completed']) {
    await server.database.execute('update crawl_tasks set status = $2::task_status where id = $1', [
      ids[0],
      step,
    ]);
  }
  await admin.post(`/api/admin/tasks/${ids[1]}/cancel`);
  return ids;
}

test('pages that the batch has are passed over, whatever became of them, and named with their tasks', async () => {
  const [one, two, three] = await sendFirst();
  const more = [...TASKS, { url: 'https://a.example/4', parentRef: 'first' }];
  const answer = await send({ skip_known_of_batch: true }, more);
  const { ids } = answer.body as { ids: (number | null)[] };
  expect(answer.body).toMatchObject({
    ...{ accepted: 1, refusedCount: 3, inBatchCount: 3, duplicateCount: 0 },
    refused: [one, two, three].map((taskId, index) => ({ index, taskId, code: 'already-in-batch' })),
  });
  // What waits for one of them waits for the task that the batch has.
  expect(ids.slice(0, 3)).toEqual([null, null, null]);
  expect((await admin.get(`/api/admin/tasks/${ids[3]}`)).body).toMatchObject({
    ...{ parentTaskId: one, isWaiting: false },
  });
});

test('passing over is no error: with refuse-all the rest is taken', async () => {
  await sendFirst();
  const answer = await send({ skipKnownOfBatch: true, onError: 'refuse-all' }, [
    ...TASKS,
    'https://a.example/4',
  ]);
  expect(answer.body).toMatchObject({ accepted: 1, inBatchCount: 3 });
  const refused = await send({ skipKnownOfBatch: true, onError: 'refuse-all' }, [...TASKS, 'https://[bad']);
  expect(refused.problem).toMatchObject({ code: 'tasks-refused', errors: [{ path: 'body.tasks.3' }] });
});

test('without it, and in another batch, what is over is ordered once more; without a batch it means nothing', async () => {
  await sendFirst();
  expect((await send({ batchName: 'C', skipKnownOfBatch: true })).body).toMatchObject({
    ...{ accepted: 2, duplicateCount: 1, inBatchCount: 0 },
  });
  await server.database.execute("update crawl_tasks set status = 'cancelled' where status = 'pending'");
  expect((await send({})).body).toMatchObject({ accepted: 3, inBatchCount: 0 });
  expect((await send({ batchName: undefined, skipKnownOfBatch: true })).problem).toMatchObject({
    ...{ code: 'invalid', errors: [{ path: 'body.skipKnownOfBatch' }] },
  });
});
