/** Answers about tasks, batches and webhooks that say what is really wrong. */
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
  await server.database.execute('delete from idempotency_keys');
});

const URL_1 = 'https://a.example/1';
const idOf = (answer: ApiAnswer): number => (answer.body as { readonly id: number }).id;
const submit = (fields: object, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  admin.post('/api/admin/tasks', fields, headers);

/** By legal moves: what a worker would do. */
async function move(id: number, ...states: readonly string[]): Promise<void> {
  for (const status of states) {
    await server.database.execute('update crawl_tasks set status = $2::task_status where id = $1', [
      id,
      status,
    ]);
  }
}

describe('names of batches', () => {
  const create = (name: string): Promise<ApiAnswer> => admin.post('/api/admin/batches', { name });

  test('are without the space around them: two that differ only in it are one', async () => {
    const first = await create('  Black Friday\u00a0 ');
    expect(first.body).toMatchObject({ name: 'Black Friday' });
    expect((await create('Black Friday')).problem).toMatchObject({ status: 409, code: 'batch-exists' });
    const task = await submit({ url: URL_1, batch_name: ' Black Friday' });
    expect(task.body).toMatchObject({ batchId: idOf(first), batchName: 'Black Friday' });
    const many = await admin.post('/api/admin/tasks/bulk', {
      ...{ tasks: ['https://a.example/2'], batchName: 'Black Friday ' },
    });
    expect(many.body).toMatchObject({ batchId: idOf(first) });
    const insert = (name: string) =>
      server.database.execute('insert into crawl_batches (name) values ($1)', [name]);
    await expect(insert(' Black Friday')).rejects.toMatchObject({ code: '23514' });
    await expect(insert('Black Friday')).rejects.toMatchObject({ code: '23505' });
  });

  test.each([
    '',
    '   ',
    '\u00a0',
    'a\u2028b',
    'a\u2029b',
    '\u2028',
    'a\nb',
    'a\u0085b',
    ' 12 ',
    `x${'y'.repeat(255)}`,
  ])('%j is none', async (name) => {
    expect((await create(name)).problem).toMatchObject({ status: 400, code: 'invalid' });
    expect((await submit({ url: URL_1, batchName: name })).problem?.code).toBe('invalid');
  });

  test('may have as many characters as there is room for, the space around not counted', async () => {
    expect((await create(` ${'x'.repeat(255)} `)).status).toBe(201);
  });
});

describe('restarting failed tasks', () => {
  const restart = (body: object): Promise<ApiAnswer> => admin.post('/api/admin/tasks/restart-failed', body);

  test('of a domain by its name or by its number, not both; one that is not there is a 404', async () => {
    const id = idOf(await submit({ url: URL_1 }));
    await move(id, 'queued', 'crawling', 'failed');
    const { rows } = await server.database.db.query<{ id: number }>('select id from domains');
    const domainId = rows[0]?.id ?? 0;
    expect((await restart({ domain: 'a.example', domain_id: domainId })).problem).toMatchObject({
      ...{ status: 400, code: 'invalid', detail: 'body.domainId: give domain or domainId, not both' },
    });
    for (const dryRun of [true, false]) {
      expect((await restart({ domainId: 99_999_999, dryRun })).problem).toMatchObject({
        ...{ status: 404, code: 'unknown-domain' },
      });
    }
    expect((await restart({ domainId, dryRun: true })).body).toMatchObject({ restarted: 1, matched: 1 });
    expect((await restart({ domainId })).body).toMatchObject({
      restarted: 1,
      matched: null,
      isPartial: false,
    });
  });

  test('a dry run tells how many fit in all, whatever the limit', async () => {
    const tasks = Array.from({ length: 5 }, (_, n) => `https://a.example/${n}`);
    const { ids } = (await admin.post('/api/admin/tasks/bulk', { tasks })).body as { readonly ids: number[] };
    for (const id of ids) await move(id, 'queued', 'crawling', 'failed');
    await submit({ url: 'https://a.example/0' });
    expect((await restart({ limit: 2, dryRun: true })).body).toEqual({
      ...{ restarted: 2, skipped: 1, matched: 5, isPartial: false, isDryRun: true, isComplete: true },
    });
  });
});

describe('what cannot be parsed again', () => {
  test('where nothing is kept: fetching helps, unless another task does that already', async () => {
    const id = idOf(await submit({ url: URL_1 }));
    const parse = (): Promise<ApiAnswer> => admin.post(`/api/admin/tasks/${id}/restart-parsing`);
    expect((await parse()).problem).toMatchObject({ code: 'wrong-state' });
    await admin.post(`/api/admin/tasks/${id}/cancel`);
    expect((await parse()).problem).toMatchObject({
      ...{ status: 409, code: 'no-stored-body' },
      detail: `Task ${id} is cancelled, and nothing of its page is kept that could be parsed.`,
      hint: 'restart it to have the page fetched, which is parsed then',
    });
    const other = idOf(await submit({ url: URL_1 }));
    expect((await parse()).problem?.hint).toBe(`task ${other} is for the same page, and pending`);
  });

  test('is not named among what can be done with a task', async () => {
    const id = idOf(await submit({ url: URL_1 }));
    await move(id, 'queued', 'crawling', 'failed');
    const pause = (): Promise<ApiAnswer> => admin.post(`/api/admin/tasks/${id}/pause`);
    expect((await pause()).problem?.hint).toBe('it can be cancelled or restarted');
    await server.database.execute('update crawl_tasks set segment_id = 1');
    expect((await pause()).problem?.hint).toBe('it can be cancelled, restarted or parsed again');
  });
});

describe('numbers', () => {
  test.each(['9999999999999999', '99999999999999999999', '9'.repeat(400)])(
    '%s is too large for a task',
    async (id) => {
      for (const path of [
        `/api/admin/tasks/${id}`,

        `/api/admin/policies/${id}`,
      ]) {
        const { problem } = await admin.get(path);
        expect(problem).toMatchObject({
          status: 400,
          code: 'invalid',
          detail: 'params.id: is too large a number',
        });
      }
      expect((await admin.get('/api/admin/tasks', { batchId: id })).problem?.detail).toBe(
        'query.batchId: is too large a number',
      );
    },
  );

  test('of fifteen digits are not there, like others', async () => {
    expect((await admin.get('/api/admin/tasks/999999999999999')).problem).toMatchObject({
      ...{ status: 404, detail: 'There is no task 999999999999999.' },
    });
  });

  test('beyond all bounds are told the bound of their field', async () => {
    const { problem } = await submit({ url: URL_1, priority: 1e308 });
    expect(problem?.errors).toEqual([{ path: 'body.priority', message: 'must be at most 10' }]);
    expect((await submit({ url: URL_1, parentTaskId: 1e20 })).problem?.detail).toBe(
      'body.parentTaskId: is too large a number',
    );
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (fields: object): Promise<ApiAnswer> => submit(fields, { 'idempotency-key': 'k' });

  test('knows the same request however it is written', async () => {
    const at = '2030-01-01T00:00:00Z';
    const first = await keyed({ url: URL_1, maxRetries: 2, scheduledAt: at });
    expect(first.status).toBe(201);
    for (const again of [
      { max_retries: 2, url: URL_1, scheduled_at: at },
      { url: URL_1, scheduledAt: '2030-01-01T01:00:00+01:00', maxRetries: 2 },
    ]) {
      const answer = await keyed(again);
      expect(answer.text).toBe(first.text);
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
    }
    for (const other of [
      { url: URL_1, maxRetries: 3, scheduledAt: at },
      { url: URL_1, maxRetries: 2, scheduledAt: '2030-01-01T00:00:01Z' },
    ]) {
      expect((await keyed(other)).problem?.code).toBe('reused-key');
    }
  });

  test('takes a default that is written out for one that is left out, in items and around them', async () => {
    const bulk = (body: object): Promise<ApiAnswer> =>
      admin.post('/api/admin/tasks/bulk', body, { 'idempotency-key': 'many' });
    const first = await bulk({ tasks: [{ url: URL_1, max_retries: 1 }, 7] });
    const again = await bulk({ tasks: [{ maxRetries: 1, url: URL_1 }, 7], on_error: 'skip' });
    expect(again.text).toBe(first.text);
    expect((await bulk({ tasks: [{ url: URL_1, maxRetries: 1 }, 8] })).problem?.code).toBe('reused-key');
    // As text: whoever would follow it, to write or to compare it, runs out of stack.
    const deep = `{"tasks": [${'['.repeat(20_000)}${']'.repeat(20_000)}]}`;
    const answer = await admin.post('/api/admin/tasks/bulk', deep, { 'idempotency-key': 'deep' });
    expect(answer.body).toMatchObject({ accepted: 0, refused: [{ index: 0, code: 'invalid' }] });
  });
});

describe('webhooks', () => {
  const create = (fields: object): Promise<ApiAnswer> =>
    admin.post('/api/admin/webhooks', { url: 'https://hooks.example/', events: ['task.failed'], ...fields });

  test('take names in snake_case', async () => {
    const made = await create({ is_enabled: false });
    expect(made.body).toMatchObject({ webhook: { isEnabled: false } });
    const { id } = (made.body as { readonly webhook: { readonly id: number } }).webhook;
    expect((await admin.patch(`/api/admin/webhooks/${id}`, { is_enabled: true })).body).toMatchObject({
      isEnabled: true,
    });
    const rotated = await admin.post(`/api/admin/webhooks/${id}/rotate-secret`, { grace_hours: 0 });
    expect(rotated.body).toMatchObject({ webhook: { previousSecretUntil: null } });
  });

  test('one event where a list belongs is told as that, and nothing else', async () => {
    const { problem } = await create({ events: 'task.completed' });
    expect(problem?.errors).toEqual([{ path: 'body.events', message: 'must be a list, not text' }]);
  });

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://localhost/',
    'http://10.0.0.1/',
    'http://intranet/',
  ])('%s is refused in the words of webhooks', async (url) => {
    const { problem } = await create({ url });
    expect(problem).toMatchObject({ status: 400, code: 'bad-webhook-url' });
    expect(`${problem?.detail} ${problem?.hint}`).not.toMatch(/crawl/);
  });

  test('what allows a private receiver is named', async () => {
    expect((await create({ url: 'http://127.0.0.1/' })).problem?.detail).toContain(
      'which messages go to only where FORAGER_ALLOW_PRIVATE allows it',
    );
  });
});

describe('lists and figures of more tasks than a request looks at', () => {
  const plant = (count: number): Promise<unknown> =>
    server.database.execute(`
      insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', 'https://a.example');
      alter table crawl_tasks disable trigger user;
      insert into crawl_tasks (domain_id, url, url_hash, status)
      select d.id, 'https://a.example/' || case when n = 1 then 'needle' else n::text end, sha256(n::text::bytea), 'completed'
        from domains d, generate_series(1, ${count}) n;
      alter table crawl_tasks enable trigger user`);

  test('a page may have nothing in it and lead on nevertheless', async () => {
    await plant(50_001);
    const first = await admin.get('/api/admin/tasks', { search: 'needle' });
    expect(first.body).toEqual({ items: [], nextCursor: expect.any(String) });
    const { nextCursor } = first.body as { readonly nextCursor: string };
    const second = await admin.get('/api/admin/tasks', { search: 'needle', cursor: nextCursor });
    expect(second.body).toMatchObject({ items: [{ url: 'https://a.example/needle' }], nextCursor: null });
    expect((await admin.get('/api/admin/tasks', { search: 'needle', order: 'asc' })).body).toMatchObject({
      ...{ items: [{ url: 'https://a.example/needle' }], nextCursor: expect.any(String) },
    });
    expect((await admin.get('/api/admin/tasks/stats')).body).toMatchObject({
      total: 50_001,
      isPartial: false,
    });
  });
});
