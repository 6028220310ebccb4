import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

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
  await server.database.execute('delete from audit_log');
  await server.database.execute('delete from dead_letters');
});

type Row = Record<string, unknown>;
const bodyOf = <T = Row>(answer: ApiAnswer): T => answer.body as T;

/** A batch of that many tasks over a few domains. */
async function plant(count: number, name = 'Black Friday'): Promise<number> {
  const tasks = Array.from({ length: count }, (_, n) => `https://d${n % 7}.example/sale/${n}`);
  const answer = await admin.post('/api/admin/tasks/bulk', { tasks, batchName: name });
  return bodyOf<{ batchId: number }>(answer).batchId;
}
const countsOf = async (id: number): Promise<unknown> =>
  bodyOf(await admin.get(`/api/admin/batches/${id}`)).byStatus;
const run = (statement: string, values: readonly unknown[] = []) =>
  server.database.execute(statement, values);

/** By legal moves, all that are pending. */
async function finish(id: number, status: 'completed' | 'failed', limit = 1_000_000): Promise<void> {
  const { rows } = await run(
    "select id from crawl_tasks where batch_id = $1 and status = 'pending' order by id limit $2",
    [id, limit],
  );
  const ids = rows.map((row) => row.id);
  for (const step of ['queued', 'crawling', status]) {
    await run('update crawl_tasks set status = $2::task_status where id = any($1::bigint[])', [ids, step]);
  }
}

describe('batches', () => {
  test('are made by name, once, listed with the newest first, searched, and told with their counts', async () => {
    const made = await admin.post('/api/admin/batches', { name: 'Spring' });
    expect(made.status).toBe(201);
    const { id } = bodyOf<{ id: number }>(made);
    expect(made.headers.get('location')).toBe(`/api/admin/batches/${id}`);
    expect((await admin.post('/api/admin/batches', { name: 'Spring' })).problem).toMatchObject({
      ...{ status: 409, code: 'batch-exists' },
    });
    expect((await admin.post('/api/admin/batches', { name: '' })).problem?.code).toBe('invalid');
    const other = await plant(3);
    const first = bodyOf<{ items: Row[]; nextCursor: string }>(
      await admin.get('/api/admin/batches', { limit: 1 }),
    );
    expect(first.items).toMatchObject([{ id: other, name: 'Black Friday', isPaused: false }]);
    const second = await admin.get('/api/admin/batches', { limit: 1, cursor: first.nextCursor });
    expect(second.body).toMatchObject({ items: [{ id }], nextCursor: null });
    expect((await admin.get('/api/admin/batches', { search: 'friday' })).body).toMatchObject({
      items: [{ id: other }],
    });
    expect((await admin.get(`/api/admin/batches/${other}`)).body).toMatchObject({
      ...{ total: 3, byStatus: { pending: 3 } },
    });
  });

  test('goes by its name as well as by its number', async () => {
    const id = await plant(3, 'Sale 50% / hats');
    const path = `/api/admin/batches/${encodeURIComponent('Sale 50% / hats')}`;
    expect((await admin.get(path)).body).toMatchObject({ id, total: 3 });
    expect((await admin.post(`${path}/pause`)).body).toMatchObject({ moved: 3, batch: { id } });
    expect((await admin.post(`${path}/resume`)).body).toMatchObject({ moved: 3 });
    expect((await admin.get('/api/admin/batches/nobody')).problem).toMatchObject({
      ...{ status: 404, code: 'unknown-batch' },
    });
  });

  test('one that is not there is 404; strangers, users and bots are kept out', async () => {
    for (const path of ['', '/pause', '/resume', '/cancel', '/restart']) {
      const method = path === '' ? 'GET' : 'POST';
      const ask = (client: ApiClient) => client.request(method, `/api/admin/batches/99999999${path}`);
      expect((await ask(admin)).problem?.code).toBe('unknown-batch');
      expect((await ask(server.client())).status).toBe(401);
      expect((await ask(await server.as('user'))).status).toBe(403);
      expect((await ask(await server.as('bot'))).status).toBe(403);
    }
  });

  test('paused, all its tasks wait, also those added meanwhile; resumed, only those go on that were paused with it', async () => {
    const id = await plant(2500);
    const { rows } = await run('select id from crawl_tasks where batch_id = $1 order by id limit 3', [id]);
    const [own, held, over] = rows.map((row) => row.id as number);
    await admin.post(`/api/admin/tasks/${own}/pause`);
    for (const step of ['queued', 'crawling']) {
      await run(
        "update crawl_tasks set status = $2::task_status, locked_by = 'w' where id = any($1::bigint[])",
        [[held, over], step],
      );
    }
    await run("update crawl_tasks set status = 'completed' where id = $1", [over]);
    const paused = await admin.post(`/api/admin/batches/${id}/pause`);
    expect(paused.body).toMatchObject({ moved: 2498, isComplete: true, batch: { isPaused: true } });
    expect(await countsOf(id)).toEqual({ paused: 2499, completed: 1 });
    const added = await admin.post('/api/admin/tasks', { url: 'https://d0.example/late', batchId: id });
    expect(added.body).toMatchObject({ status: 'paused', statusReason: 'batch paused' });
    expect((await admin.get(`/api/admin/tasks/${held}`)).body).toMatchObject({
      ...{ status: 'paused', lockedBy: null, waitsFor: { code: 'batch-paused' } },
    });
    expect((await admin.post(`/api/admin/batches/${id}/pause`)).body).toMatchObject({ moved: 0 });
    expect((await admin.post(`/api/admin/batches/${id}/restart`)).problem?.code).toBe('batch-paused');
    const resumed = await admin.post(`/api/admin/batches/${id}/resume`);
    expect(resumed.body).toMatchObject({ moved: 2499, batch: { isPaused: false, pausedAt: null } });
    expect(await countsOf(id)).toEqual({ paused: 1, completed: 1, pending: 2499 });
    expect((await admin.post(`/api/admin/batches/${id}/resume`)).body).toMatchObject({ moved: 0 });
    expect((await admin.get(`/api/admin/tasks/${own}`)).body).toMatchObject({ waitsFor: { code: 'paused' } });
  }, 30_000);

  test('paused and resumed, its tasks keep their times, and with these their order', async () => {
    const id = await plant(2300);
    await run(
      "update crawl_tasks set scheduled_at = forager_now() - interval '1 hour' + (id % 100) * interval '1 minute'",
    );
    const order = async (): Promise<unknown[]> =>
      (
        await run(
          "select id, scheduled_at from crawl_tasks where status = 'pending' order by scheduled_at, id",
        )
      ).rows;
    const before = await order();
    expect(before).toHaveLength(2300);
    await admin.post(`/api/admin/batches/${id}/pause`);
    // Portion by portion, those that were ordered first come first.
    const { rows } = await run("select task_id from task_events where to_status = 'paused' order by id");
    const paused = rows.map((row) => row.task_id as number);
    expect(paused).toEqual([...paused].sort((a, b) => a - b));
    expect((await admin.post(`/api/admin/batches/${id}/resume`)).body).toMatchObject({ beforeTaskId: null });
    expect(await order()).toEqual(before);
  }, 30_000);

  test('cancelled, what is not over is cancelled, and what is over stays so', async () => {
    const id = await plant(30);
    await finish(id, 'completed', 5);
    await finish(id, 'failed', 4);
    expect((await admin.post(`/api/admin/batches/${id}/cancel`)).body).toMatchObject({ moved: 21 });
    expect(await countsOf(id)).toEqual({ completed: 5, failed: 4, cancelled: 21 });
    expect((await admin.post(`/api/admin/batches/${id}/cancel`)).body).toMatchObject({ moved: 0 });
  });

  test('restarted, all tasks that are over begin again, or only the failed; of two for one page the newest, and none where one lives', async () => {
    const id = await plant(1200);
    await finish(id, 'failed', 200);
    await finish(id, 'completed');
    const failed = await admin.post(`/api/admin/batches/${id}/restart`, { only_failed: true });
    expect(failed.body).toMatchObject({ moved: 200, skipped: 0, isComplete: true });
    expect(await countsOf(id)).toEqual({ completed: 1000, pending: 200 });
    await finish(id, 'failed');
    // One page has a second task of the batch, another a live task of nobody's.
    await admin.post('/api/admin/tasks', { url: 'https://d0.example/sale/0', batchId: id });
    await finish(id, 'completed');
    await admin.post('/api/admin/tasks', { url: 'https://d1.example/sale/1' });
    const all = await admin.post(`/api/admin/batches/${id}/restart`);
    expect(all.body).toMatchObject({ moved: 1199, skipped: 2 });
    const { rows } = await run(
      "select count(*)::int as count, max(retry_count)::int as retries, count(error_message)::int as errors from crawl_tasks where batch_id = $1 and status = 'pending'",
      [id],
    );
    expect(rows).toEqual([{ count: 1199, retries: 0, errors: 0 }]);
    // Dead letters of what was restarted are no longer open; those of the two that were skipped are.
    expect((await run('select 1 from dead_letters where requeued_at is null')).rows).toHaveLength(2);
  }, 30_000);
});

describe('a whole domain', () => {
  test('is paused and resumed: its tasks stay as they are, and say what they wait for', async () => {
    const id = await plant(1);
    const { rows } = await run('select id from crawl_tasks where batch_id = $1', [id]);
    const taskId = rows[0]?.id;
    await run("update crawl_tasks set status = 'queued'");
    expect((await admin.post('/api/admin/domains/d0.example/pause')).body).toMatchObject({
      ...{ isActive: false, wasActive: true },
    });
    expect((await admin.get(`/api/admin/tasks/${taskId}`)).body).toMatchObject({
      ...{ status: 'queued', waitsFor: { code: 'domain-inactive' } },
    });
    expect((await admin.post('/api/admin/domains/d0.example/resume')).body).toMatchObject({ isActive: true });
    expect((await admin.get(`/api/admin/tasks/${taskId}`)).body).toMatchObject({
      waitsFor: { code: 'no-worker' },
    });
  });
});
