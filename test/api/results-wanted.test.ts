/** What a task asks of a bot: said when it is ordered, and told wherever the task or its policy is. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { moveTask } from '../support/scheduling.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from domains');
});

const bodyOf = <T>(answer: ApiAnswer): T => {
  expect(answer.problem).toBeUndefined();
  return answer.body as T;
};
interface Told {
  readonly id: number;
  readonly wanted: string;
  readonly policyId: number;
  readonly taskId: number;
}
const readTask = async (id: number): Promise<Told> => bodyOf(await admin.get(`/api/admin/tasks/${id}`));
const readPolicy = async (id: number): Promise<Told> => bodyOf(await admin.get(`/api/admin/policies/${id}`));

describe('what a bot is to bring', () => {
  test('is the price, unless somebody says otherwise', async () => {
    const plain = bodyOf<Told>(
      await admin.post('/api/admin/tasks', { url: 'https://a.example/1', executor: 'bot' }),
    );
    expect(plain.wanted).toBe('price');
    for (const [n, wanted] of ['price', 'page', 'data', 'any'].entries()) {
      const body = { url: `https://a.example/w${n}`, executor: 'bot', wanted };
      const task = bodyOf<Told>(await admin.post('/api/admin/tasks', body));
      expect(task.wanted).toBe(wanted);
      expect((await readTask(task.id)).wanted).toBe(wanted);
    }
    const listed = bodyOf<{ items: Told[] }>(await admin.get('/api/admin/tasks', { order: 'asc' }));
    expect(listed.items.map(({ wanted }) => wanted)).toEqual(['price', 'price', 'page', 'data', 'any']);
  });

  test('is refused where it is nothing that can be wanted', async () => {
    for (const wanted of ['html', '', 7, null]) {
      const answer = await admin.post('/api/admin/tasks', { url: 'https://a.example/1', wanted });
      expect(answer.problem).toMatchObject({ code: 'invalid', status: 400 });
    }
  });

  test('is that of each item where many are ordered', async () => {
    const { ids } = bodyOf<{ ids: number[] }>(
      await admin.post('/api/admin/tasks/bulk', {
        tasks: [
          { url: 'https://a.example/1', executor: 'bot', wanted: 'page' },
          { url: 'https://a.example/2', executor: 'bot' },
          'https://a.example/3',
        ],
      }),
    );
    const told = await Promise.all(ids.map(async (id) => (await readTask(id)).wanted));
    expect(told).toEqual(['page', 'price', 'price']);
  });

  test('is that of the policy for each of its tasks, and can be changed', async () => {
    const body = { url: 'https://a.example/p', frequencyHours: 6, executor: 'bot', wanted: 'data' };
    const policy = bodyOf<Told>(await admin.post('/api/admin/policies', body));
    expect(policy.wanted).toBe('data');
    const first = bodyOf<Told>(await admin.post(`/api/admin/policies/${policy.id}/run`));
    expect((await readTask(first.taskId)).wanted).toBe('data');
    bodyOf(await admin.patch(`/api/admin/policies/${policy.id}`, { wanted: 'any' }));
    expect((await readPolicy(policy.id)).wanted).toBe('any');
    // What is under way goes on as it was ordered.
    expect((await readTask(first.taskId)).wanted).toBe('data');
    await moveTask(server.database, first.taskId, 'cancelled');
    const second = bodyOf<Told>(await admin.post(`/api/admin/policies/${policy.id}/run`));
    expect((await readTask(second.taskId)).wanted).toBe('any');
    for (const sort of ['id', 'nextRun']) {
      for (const order of ['asc', 'desc']) {
        const listed = bodyOf<{ items: Told[] }>(await admin.get('/api/admin/policies', { sort, order }));
        expect(listed.items).toMatchObject([{ id: policy.id, wanted: 'any' }]);
      }
    }
  });

  test('goes with a task that is repeated into its policy', async () => {
    const body = { url: 'https://a.example/r', executor: 'bot', wanted: 'page', isRecurring: true };
    const task = bodyOf<Told>(await admin.post('/api/admin/tasks', body));
    expect((await readPolicy(task.policyId)).wanted).toBe('page');
  });
});
