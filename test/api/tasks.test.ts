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
});

type Row = Record<string, unknown>;
const bodyOf = <T = Row>(answer: ApiAnswer): T => answer.body as T;
interface Submitted extends Row {
  readonly ids: readonly (number | null)[];
  readonly refused: readonly Row[];
}

async function submit(fields: Row | string): Promise<Row & { readonly id: number }> {
  const answer = await admin.post('/api/admin/tasks', typeof fields === 'string' ? { url: fields } : fields);
  expect(answer.problem).toBeUndefined();
  return bodyOf(answer);
}
const move = (id: number, status: string, set = ''): Promise<unknown> =>
  server.database.execute(`update crawl_tasks set status = $2::task_status${set} where id = $1`, [
    id,
    status,
  ]);

/** By legal moves: what a worker would do. */
async function finish(id: number, status: 'completed' | 'failed'): Promise<void> {
  await move(id, 'queued');
  await move(id, 'crawling', ", locked_by = 'w', lock_version = 1");
  await move(id, status, status === 'failed' ? ", error_message = 'no answer', retry_count = 3" : '');
}
const rowsOf = async (statement: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await server.database.db.query<Row>(statement, values)).rows;

describe('POST /api/admin/tasks', () => {
  test('orders a page: its domain is made known for that only, and it is told where the task is', async () => {
    const answer = await admin.post('/api/admin/tasks', { url: 'https://WWW.Shop.example/a?b=1#c' });
    expect(answer.status).toBe(201);
    const task = bodyOf<Row & { id: number }>(answer);
    expect(answer.headers.get('location')).toBe(`/api/admin/tasks/${task.id}`);
    expect(task).toMatchObject({
      ...{ domain: 'shop.example', status: 'pending', priority: 5, retryCount: 0, maxRetries: 3 },
      ...{ isRecurring: false, policyId: null, batchId: null, parentTaskId: null, executor: 'forager' },
    });
    expect(await rowsOf('select is_explored, source, pages_discovered, status::text from domains')).toEqual([
      { is_explored: false, source: 'task', pages_discovered: 0, status: 'pending' },
    ]);
    expect(await rowsOf('select 1 from urls')).toEqual([]);
    expect(await rowsOf('select action from audit_log')).toEqual([{ action: 'task.submit' }]);
    expect((await admin.get(`/api/admin/tasks/${task.id}`)).body).toMatchObject({
      history: [{ from: null, to: 'pending' }],
      childrenCount: 0,
    });
  });

  test('a known domain keeps everything it has', async () => {
    await server.database.execute(
      "insert into domains (domain, parent_domain, base_url, source, status, block_reason_code) values ('shop.example', 'shop.example', 'https://shop.example', 'seed', 'blocked', 'http_403')",
    );
    await submit('https://shop.example/a');
    expect(await rowsOf('select is_explored, source, status::text, block_reason_code from domains')).toEqual([
      { is_explored: true, source: 'seed', status: 'blocked', block_reason_code: 'http_403' },
    ]);
  });

  test('names of fields may be written in snake_case; both spellings at once may not', async () => {
    const task = await submit({
      url: 'https://a.example/',
      max_retries: 7,
      follow_depth: 2,
      follow_limit: 9,
    });
    expect(task).toMatchObject({ maxRetries: 7, followDepth: 2, followLimit: 9 });
    const twice = await admin.post('/api/admin/tasks', {
      ...{ url: 'https://b.example/', maxRetries: 1, max_retries: 2 },
    });
    expect(twice.problem).toMatchObject({ status: 400, code: 'invalid' });
  });

  test.each([
    [{ priority: 0 }, 'must be at least 1'],
    [{ priority: 11 }, 'must be at most 10'],
    [{ maxRetries: -1 }, 'must be at least 0'],
    [{ crawlFrequencyHours: 0, isRecurring: true }, 'must be more than 0'],
    [{ crawlFrequencyHours: 5 }, 'add isRecurring'],
    [{ scheduledAt: '2026-01-01' }, 'must be a time with its zone'],
    [{ followDepth: 6 }, 'must be at most 5'],
    [{ executor: 'nobody' }, 'must be forager or bot'],
    [{ batchName: '12' }, 'must be a name'],
    [{ batchName: 'a', batchId: 1 }, 'not both'],
    [{ nonsense: 1 }, 'there is no field'],
  ])('%j is refused with what is wrong', async (fields, message) => {
    const { problem } = await admin.post('/api/admin/tasks', { url: 'https://a.example/', ...fields });
    expect(problem).toMatchObject({ status: 400, code: 'invalid' });
    expect(problem?.errors?.map((error) => error.message).join()).toContain(message);
    expect(await rowsOf('select 1 from crawl_tasks')).toEqual([]);
  });

  test.each([
    ['not a url', 'bad-url', 400],
    ['ftp://a.example/', 'bad-url', 400],
    ['http://127.0.0.1/', 'bad-url', 400],
    ['http://169.254.169.254/latest/meta-data', 'bad-url', 400],
    [`https://a.example/${'x'.repeat(9000)}`, 'bad-url', 400],
  ])('%s cannot be crawled', async (url, code, status) => {
    expect((await admin.post('/api/admin/tasks', { url })).problem).toMatchObject({ status, code });
    expect(await rowsOf('select 1 from domains')).toEqual([]);
  });

  test('a time in the past, and one in the year 9999, each have an answer of their own; a minute ago is now', async () => {
    const at = (scheduledAt: string) =>
      admin.post('/api/admin/tasks', { url: 'https://a.example/', scheduledAt });
    expect((await at('2020-01-01T00:00:00Z')).problem).toMatchObject({ status: 422, code: 'schedule-past' });
    expect((await at('9999-01-01T00:00:00Z')).problem).toMatchObject({
      status: 422,
      code: 'schedule-too-far',
    });
    const answer = await at(new Date(Date.now() - 60_000).toISOString());
    expect(answer.status).toBe(201);
    const { scheduledAt, createdAt } = bodyOf(answer);
    expect(scheduledAt).toBe(createdAt);
  });

  test('a page that has a live task is refused with its number, and taken when that is over', async () => {
    const first = await submit('https://a.example/x');
    const { problem } = await admin.post('/api/admin/tasks', { url: 'https://A.example/x#part' });
    expect(problem).toMatchObject({ status: 409, code: 'duplicate-task' });
    expect(problem?.detail).toContain(`task ${first.id} `);
    await admin.post(`/api/admin/tasks/${first.id}/cancel`);
    await submit('https://a.example/x');
    // What is over cannot come back beside it.
    const restart = await admin.post(`/api/admin/tasks/${first.id}/restart`);
    expect(restart.problem).toMatchObject({ status: 409, code: 'duplicate-task' });
  });

  test('the same Idempotency-Key makes one task, and the same answer', async () => {
    const send = () =>
      admin.post('/api/admin/tasks', { url: 'https://a.example/' }, { 'idempotency-key': 'order-1' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(await rowsOf('select count(*)::int as count from crawl_tasks')).toEqual([{ count: 1 }]);
  });

  test('with a parent that is not completed it waits for it, with one that is it does not; one that is not there is refused', async () => {
    const parent = await submit('https://a.example/list');
    const child = await submit({ url: 'https://b.example/1', parentTaskId: parent.id });
    expect(child).toMatchObject({ parentTaskId: parent.id, isWaiting: true });
    expect((await admin.get(`/api/admin/tasks/${child.id}`)).body).toMatchObject({
      waitsFor: { code: 'parent', sentence: expect.stringContaining(`task ${parent.id}`) },
    });
    await finish(parent.id, 'completed');
    expect((await admin.get(`/api/admin/tasks/${child.id}`)).body).toMatchObject({ isWaiting: false });
    expect(await submit({ url: 'https://b.example/2', parentTaskId: parent.id })).toMatchObject({
      isWaiting: false,
    });
    const { problem } = await admin.post('/api/admin/tasks', {
      url: 'https://b.example/3',
      parentTaskId: 99_999_999,
    });
    expect(problem).toMatchObject({ status: 422, code: 'unknown-parent' });
  });

  test('a recurring one makes the policy of its page, of which it is the first task; again, it brings it up to date', async () => {
    const first = await submit({ url: 'https://a.example/', is_recurring: true, crawl_frequency_hours: 6 });
    expect(first).toMatchObject({ isRecurring: true, crawlFrequencyHours: 6, recrawlCount: 0 });
    const policy = () =>
      rowsOf(
        'select id, frequency_hours, live_task_id, runs_count, priority, is_enabled from crawl_policies',
      );
    expect(await policy()).toMatchObject([
      { id: first.policyId, frequency_hours: 6, live_task_id: first.id, runs_count: 1 },
    ]);
    await finish(first.id, 'completed');
    expect(await policy()).toMatchObject([{ live_task_id: null }]);
    await server.database.execute('update crawl_policies set is_enabled = false');
    const second = await submit({ url: 'https://a.example/', isRecurring: true, priority: 2 });
    expect(second).toMatchObject({ policyId: first.policyId, recrawlCount: 1, crawlFrequencyHours: 24 });
    expect(await policy()).toMatchObject([
      { live_task_id: second.id, runs_count: 2, priority: 2, frequency_hours: 24, is_enabled: true },
    ]);
  });

  test('a batch of a name that nobody has is made, of one that somebody has is joined', async () => {
    const first = await submit({ url: 'https://a.example/1', batchName: 'Black Friday' });
    const second = await submit({ url: 'https://a.example/2', batchName: 'Black Friday' });
    expect(second).toMatchObject({ batchId: first.batchId, batchName: 'Black Friday' });
    const { problem } = await admin.post('/api/admin/tasks', {
      url: 'https://a.example/3',
      batchId: 99_999_999,
    });
    expect(problem).toMatchObject({ status: 404, code: 'unknown-batch' });
  });

  test('nothing is ordered of a domain that is being removed', async () => {
    await submit('https://a.example/1');
    await server.database.execute(
      `insert into jobs (kind, params, created_by)
       select 'delete-domain', jsonb_build_object('domainId', id, 'domain', domain, 'restMs', 0), 'test' from domains`,
    );
    const { problem } = await admin.post('/api/admin/tasks', { url: 'https://a.example/2' });
    await server.database.execute('delete from jobs');
    expect(problem).toMatchObject({ status: 409, code: 'domain-going' });
  });

  test('strangers are asked to log in; users, bots and keys for reading are not permitted', async () => {
    const send = (client: ApiClient) => client.post('/api/admin/tasks', { url: 'https://a.example/' });
    expect((await send(server.client())).status).toBe(401);
    for (const client of [
      await server.as('user'),
      await server.as('bot'),
      await server.as('admin', ['read']),
    ]) {
      expect((await send(client)).status).toBe(403);
    }
    expect((await send(await server.as('admin', ['crawl']))).status).toBe(201);
  });
});

describe('unknown domains', () => {
  test('are refused where the server is set up so, one by one and among many', async () => {
    const strict = await startTestServer({ unknownDomains: 'refuse' });
    try {
      const client = await strict.as('admin');
      await strict.database.execute(
        "insert into domains (domain, parent_domain, base_url) values ('known.example', 'known.example', 'https://known.example')",
      );
      const { problem } = await client.post('/api/admin/tasks', { url: 'https://new.example/' });
      expect(problem).toMatchObject({ status: 404, code: 'unknown-domain' });
      const many = await client.post('/api/admin/tasks/bulk', {
        tasks: ['https://known.example/1', 'https://new.example/1', 'https://known.example/2'],
      });
      expect(many.body).toMatchObject({
        ...{ accepted: 2, refusedCount: 1, newDomains: 0 },
        refused: [{ index: 1, code: 'unknown-domain' }],
      });
    } finally {
      await strict.close();
    }
  });
});

describe('POST /api/admin/tasks/bulk', () => {
  const bulk = (body: Row) => admin.post('/api/admin/tasks/bulk', body);

  test('10,000 with a malformed URL among them: told by its index, the rest accepted', async () => {
    const tasks = Array.from({ length: 10_000 }, (_, n) => ({
      ...{
        url: n === 4711 ? 'https://[broken' : `https://d${n % 50}.example/${n}`,
        priority: 3,
        maxRetries: 2,
      },
      ...{ followDepth: 1, followLimit: 5, executor: 'forager', ref: `r${n}` },
      ...{ scheduledAt: new Date(Date.now() + 60_000).toISOString(), isRecurring: false },
    }));
    const answer = await bulk({ tasks, batchName: 'many' });
    expect(answer.problem).toBeUndefined();
    const report = bodyOf<Submitted>(answer);
    expect(report).toMatchObject({ accepted: 9999, refusedCount: 1, duplicateCount: 0, newDomains: 50 });
    expect(report.refused).toMatchObject([{ index: 4711, code: 'bad-url' }]);
    expect(report.ids[4711]).toBeNull();
    expect(new Set(report.ids).size).toBe(10_000);
    const [row] = await rowsOf('select url, priority, max_retries, batch_id from crawl_tasks where id = $1', [
      report.ids[123],
    ]);
    expect(row).toEqual({
      ...{ url: 'https://d23.example/123', priority: 3, max_retries: 2, batch_id: report.batchId },
    });
    expect(
      await rowsOf('select count(*)::int as n from task_events where from_status is null'),
    ).toMatchObject([{ n: expect.any(Number) }]);
    // Sent again they are all there already.
    const again = bodyOf<Submitted>(await bulk({ tasks, batchName: 'many' }));
    expect(again).toMatchObject({ accepted: 0, refusedCount: 10_000, duplicateCount: 9999 });
    expect(again.refused[0]).toMatchObject({ index: 0, code: 'duplicate-task', taskId: report.ids[0] });
    expect(again.refused).toHaveLength(1000);
  }, 60_000);

  test('with refuse-all none is taken, and every fault is told by its index', async () => {
    await submit('https://a.example/taken');
    const tasks = [
      'https://new.example/1',
      'nonsense url',
      'https://a.example/taken',
      'https://new.example/1',
    ];
    const first = await bulk({ tasks, onError: 'refuse-all', batchName: 'never' });
    expect(first.problem).toMatchObject({ status: 422, code: 'tasks-refused' });
    expect(first.problem?.errors?.map(({ path }) => path)).toEqual(['body.tasks.1']);
    const second = await bulk({ tasks: tasks.toSpliced(1, 1), onError: 'refuse-all', batchName: 'never' });
    expect(second.problem?.errors).toMatchObject([
      { path: 'body.tasks.1', message: expect.stringContaining('duplicate-task') },
      { path: 'body.tasks.2', message: expect.stringContaining('item 0') },
    ]);
    expect(await rowsOf('select domain from domains')).toEqual([{ domain: 'a.example' }]);
    expect(await rowsOf('select 1 from crawl_batches')).toEqual([]);
    const third = bodyOf<Submitted>(await bulk({ tasks: ['https://new.example/1'], onError: 'refuse-all' }));
    expect(third).toMatchObject({ accepted: 1, newDomains: 1 });
  });

  test('items wait for each other by ref, wherever they stand, also for a page that has a live task already', async () => {
    const live = await submit('https://a.example/live');
    const report = bodyOf<Submitted>(
      await bulk({
        tasks: [
          { url: 'https://a.example/grandchild', parent_ref: 'child' },
          { url: 'https://b.example/child', ref: 'child', parentRef: 'root' },
          { url: 'https://c.example/root', ref: 'root' },
          { url: 'https://a.example/live', ref: 'live' },
          { url: 'https://a.example/after-live', parentRef: 'live' },
        ],
      }),
    );
    expect(report).toMatchObject({ accepted: 4, refused: [{ index: 3, taskId: live.id }] });
    const [grandchild, child, root, , afterLive] = report.ids;
    const parents = await rowsOf('select id, parent_task_id, is_waiting from crawl_tasks order by id');
    expect(parents).toContainEqual({ id: root, parent_task_id: null, is_waiting: false });
    expect(parents).toContainEqual({ id: child, parent_task_id: root, is_waiting: true });
    expect(parents).toContainEqual({ id: grandchild, parent_task_id: child, is_waiting: true });
    expect(parents).toContainEqual({ id: afterLive, parent_task_id: live.id, is_waiting: true });
  });

  test('parents in another portion than their children are found', async () => {
    const tasks = Array.from({ length: 2500 }, (_, n) => ({
      ...{ url: `https://a.example/${n}`, ref: String(n) },
      ...(n === 0 ? {} : { parentRef: String(Math.floor(n / 2)) }),
    })).reverse();
    const report = bodyOf<Submitted>(await bulk({ tasks }));
    expect(report).toMatchObject({ accepted: 2500, refusedCount: 0 });
    const wrong = await rowsOf(
      `select c.url from crawl_tasks c left join crawl_tasks p on p.id = c.parent_task_id
        where c.url <> 'https://a.example/0'
          and p.url is distinct from 'https://a.example/' || (substring(c.url from '\\d+$')::int / 2)`,
    );
    expect(wrong).toEqual([]);
  }, 30_000);

  test('a circle of parents is told by the index of each in it, and those beneath are refused with it', async () => {
    const report = bodyOf<Submitted>(
      await bulk({
        tasks: [
          { url: 'https://a.example/0', ref: 'a', parentRef: 'b' },
          { url: 'https://a.example/1', ref: 'b', parentRef: 'c' },
          { url: 'https://a.example/2', ref: 'c', parentRef: 'a' },
          { url: 'https://a.example/3', parentRef: 'a' },
          { url: 'https://a.example/4', ref: 'self', parentRef: 'self' },
          { url: 'https://a.example/5', parentRef: 'nobody' },
          { url: 'https://a.example/6', ref: 'a' },
          'https://a.example/7',
        ],
      }),
    );
    expect(report.refused.map(({ index, code }) => [index, code])).toEqual([
      [0, 'parent-cycle'],
      [1, 'parent-cycle'],
      [2, 'parent-cycle'],
      [3, 'parent-refused'],
      [4, 'parent-cycle'],
      [5, 'unknown-parent'],
      [6, 'duplicate-ref'],
    ]);
    expect(report).toMatchObject({ accepted: 1 });
  });

  test('more than 10,000, none at all, and what is no list are refused as a whole', async () => {
    const tooMany = Array.from({ length: 10_001 }, (_, n) => `https://a.example/${n}`);
    for (const tasks of [[], tooMany, 'https://a.example/', null, { 0: 'https://a.example/' }]) {
      expect((await bulk({ tasks })).problem).toMatchObject({ status: 400, code: 'invalid' });
    }
    expect((await bulk({})).problem?.detail).toBe('body.tasks: is missing');
    expect((await bulk({ tasks: ['https://a.example/'], onErr: 'skip' })).problem?.detail).toBe(
      'body.onErr: there is no field "onErr" here (did you mean "onError"?)',
    );
    expect(await rowsOf('select 1 from crawl_tasks')).toEqual([]);
  });

  test('two calls with the same pages at the same time make each task once', async () => {
    const tasks = Array.from({ length: 300 }, (_, n) => `https://d${n % 30}.example/${n}`);
    const reports = await Promise.all([
      bulk({ tasks }),
      bulk({ tasks: tasks.toReversed() }),
      bulk({ tasks }),
    ]);
    const accepted = reports.map((answer) => Number(bodyOf(answer).accepted));
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(await rowsOf('select count(*)::int as count from crawl_tasks')).toEqual([{ count: 300 }]);
  });
});
