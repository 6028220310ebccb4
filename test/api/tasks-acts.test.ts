/** Lists of tasks, one with its history, and what can be changed about them. */
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
  await server.database.execute('delete from schedulers');
  await server.database.execute('delete from workers');
});

type Row = Record<string, unknown>;
const bodyOf = <T = Row>(answer: ApiAnswer): T => answer.body as T;
interface Page {
  readonly items: readonly (Row & { readonly id: number })[];
  readonly nextCursor: string | null;
}
const run = (statement: string, values: readonly unknown[] = []) =>
  server.database.execute(statement, values);
const idsOf = (answer: ApiAnswer): number[] => bodyOf<Page>(answer).items.map(({ id }) => id);
const list = (query: Record<string, string | number> = {}) => admin.get('/api/admin/tasks', query);

async function submit(url: string, fields: Row = {}): Promise<number> {
  const answer = await admin.post('/api/admin/tasks', { url, ...fields });
  expect(answer.problem).toBeUndefined();
  return bodyOf<{ id: number }>(answer).id;
}
const move = (id: number, status: string, set = '') =>
  run(`update crawl_tasks set status = $2::task_status, moved_by = 'worker-1'${set} where id = $1`, [
    id,
    status,
  ]);

async function fail(id: number): Promise<void> {
  await move(id, 'queued');
  await move(id, 'crawling', ", locked_by = 'worker-1', lock_version = 1");
  await move(id, 'failed', ", error_message = 'no answer', retry_count = 3, move_reason = 'no answer'");
}
const waitOf = async (id: number): Promise<unknown> =>
  (bodyOf(await admin.get(`/api/admin/tasks/${id}`)).waitsFor as Row | null)?.code ?? null;

describe('GET /api/admin/tasks', () => {
  test('comes in pages, newest or oldest first, each task once', async () => {
    const tasks = Array.from({ length: 25 }, (_, n) => `https://a.example/${n}`);
    const { ids } = bodyOf<{ ids: number[] }>(await admin.post('/api/admin/tasks/bulk', { tasks }));
    for (const order of ['asc', 'desc']) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = bodyOf(await list({ order, limit: 7, ...(cursor === null ? {} : { cursor }) }));
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(order === 'asc' ? ids : ids.toReversed());
    }
    const { nextCursor } = bodyOf<Page>(await list({ limit: 2 }));
    expect((await list({ order: 'asc', cursor: nextCursor ?? '' })).problem?.code).toBe('bad-cursor');
  });

  test('filters hold together', async () => {
    const first = await submit('https://a.example/Shoes/1', { batchName: 'B', priority: 1 });
    const second = await submit('https://a.example/hats', { parentTaskId: first });
    const third = await submit('https://b.example/shoes/%', { isRecurring: true });
    await admin.post(`/api/admin/tasks/${second}/pause`);
    const { batchId } = bodyOf(await admin.get(`/api/admin/tasks/${first}`));
    const { policyId, createdBy, createdAt } = bodyOf(await admin.get(`/api/admin/tasks/${third}`));
    const expected: [Record<string, string | number>, number[]][] = [
      [{ status: 'paused' }, [second]],
      [{ domain: 'WWW.a.example' }, [second, first]],
      [{ domain: 'a.example', status: 'pending' }, [first]],
      [{ batch_id: Number(batchId) }, [first]],
      [{ policyId: Number(policyId) }, [third]],
      [{ parentTaskId: first }, [second]],
      [{ priority: 1 }, [first]],
      [{ search: 'SHOES' }, [third, first]],
      [{ search: '%' }, [third]],
      [{ search: "' or 1=1 --" }, []],
      [{ createdBy: String(createdBy) }, [third, second, first]],
      [{ createdBy: 'user:nobody' }, []],
      [{ since: String(createdAt) }, [third]],
      [{ until: '2020-01-01T00:00:00Z' }, []],
    ];
    for (const [query, ids] of expected) expect(idsOf(await list(query)), JSON.stringify(query)).toEqual(ids);
  });

  test('what it does not know is refused', async () => {
    for (const query of [{ status: 'done' }, { priority: 11 }, { nonsense: 1 }, { since: 'yesterday' }]) {
      expect((await list(query as unknown as Record<string, string>)).problem?.code).toBe('invalid');
    }
    expect((await list({ domain: 'nowhere.example' })).problem?.code).toBe('unknown-domain');
  });
});

describe('GET /api/admin/tasks/:id', () => {
  test('tells the whole history with who and why, the errors and the children', async () => {
    const id = await submit('https://a.example/');
    await submit('https://a.example/child', { parentTaskId: id });
    await fail(id);
    await run(
      `insert into error_logs (task_id, domain_id, url, category, code, message, attempt, worker_id)
       select id, domain_id, url, 'network', 'timeout', 'no answer', 4, 'worker-1' from crawl_tasks where id = $1`,
      [id],
    );
    expect((await admin.get(`/api/admin/tasks/${id}`)).body).toMatchObject({
      ...{ status: 'failed', errorMessage: 'no answer', childrenCount: 1, waitsFor: null },
      history: [
        { from: null, to: 'pending', actor: expect.stringMatching(/^user:admin/) },
        { from: 'pending', to: 'queued', actor: 'worker-1' },
        { from: 'queued', to: 'crawling' },
        { from: 'crawling', to: 'failed', reason: 'no answer' },
      ],
      errors: [{ category: 'network', code: 'timeout', attempt: 4 }],
    });
    const events = bodyOf<{ items: Row[]; nextCursor: string }>(
      await admin.get(`/api/admin/tasks/${id}/events`, { limit: 3 }),
    );
    expect(events.items.map(({ to }) => to)).toEqual(['failed', 'crawling', 'queued']);
    const rest = await admin.get(`/api/admin/tasks/${id}/events`, { limit: 3, cursor: events.nextCursor });
    expect(rest.body).toMatchObject({ items: [{ from: null, to: 'pending' }], nextCursor: null });
  });

  test('one that is not there is 404', async () => {
    expect((await admin.get('/api/admin/tasks/99999999')).problem).toMatchObject({
      ...{ status: 404, code: 'unknown-task', hint: 'GET /api/admin/tasks lists them' },
    });
    expect((await admin.get('/api/admin/tasks/99999999/events')).problem?.code).toBe('unknown-task');
    expect((await admin.get('/api/admin/tasks/one')).problem?.code).toBe('invalid');
  });

  test('says what it waits for', async () => {
    const id = await submit('https://a.example/', {
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(await waitOf(id)).toBe('scheduled');
    await run('update crawl_tasks set retry_count = 1');
    expect(await waitOf(id)).toBe('retry');
    await run('update crawl_tasks set retry_count = 0, scheduled_at = now()');
    expect(await waitOf(id)).toBe('no-scheduler');
    await run(
      "insert into schedulers (id, host, pid, program_version, leads_since) values ('s', 'h', 1, '1', now())",
    );
    expect(await waitOf(id)).toBe('scheduler');
    await move(id, 'queued');
    expect(await waitOf(id)).toBe('no-worker');
    await run(
      "insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version) values ('w', 'i', 'worker', 'h', 'm', 1, 'p', '1')",
    );
    expect(await waitOf(id)).toBe('worker');
    for (const [set, code] of [
      ["next_crawl_after = now() + interval '1 h'", 'domain-resting'],
      [
        "next_crawl_after = null, maintenance_start = '00:00', maintenance_end = '23:59:59.999999'",
        'domain-maintenance',
      ],
      [
        "maintenance_start = null, maintenance_end = null, status = 'blocked', status_code = 'http_403'",
        'domain-blocked',
      ],
      ['is_active = false', 'domain-inactive'],
    ]) {
      await run(`set local session_replication_role = replica; update domains set ${set}`);
      expect(await waitOf(id), set).toBe(code);
    }
    await admin.post(`/api/admin/tasks/${id}/pause`);
    expect(await waitOf(id)).toBe('paused');
    const forBot = await submit('https://b.example/', { executor: 'bot' });
    expect(await waitOf(forBot)).toBe('no-bot');
    await run("insert into bots (bot_id) values ('b')");
    expect(await waitOf(forBot)).toBe('bot');
    await run('delete from bots');
  });
});

describe('GET /api/admin/tasks/stats', () => {
  test('counts by state, since a time, of a domain', async () => {
    const id = await submit('https://a.example/');
    await submit('https://b.example/');
    await fail(id);
    expect((await admin.get('/api/admin/tasks/stats')).body).toMatchObject({
      ...{ total: 2, byStatus: { failed: 1, pending: 1 }, averageDurationMs: null, since: null },
    });
    expect((await admin.get('/api/admin/tasks/stats', { domain: 'b.example' })).body).toMatchObject({
      total: 1,
    });
    const since = new Date(Date.now() + 60_000).toISOString();
    expect((await admin.get('/api/admin/tasks/stats', { since })).body).toMatchObject({
      total: 0,
      byStatus: {},
    });
    await move(id, 'pending');
    await move(id, 'queued');
    await move(id, 'crawling');
    await move(id, 'completed');
    const { averageDurationMs } = bodyOf(await admin.get('/api/admin/tasks/stats'));
    expect(averageDurationMs).toBeGreaterThanOrEqual(0);
  });
});

describe('restarting', () => {
  test('gives all attempts back, clears the error, and takes a priority and a time', async () => {
    const id = await submit('https://a.example/');
    await fail(id);
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const answer = await admin.post(`/api/admin/tasks/${id}/restart`, {
      ...{ reset_retry_count: true, priority: 1, scheduled_at: scheduledAt },
    });
    expect(answer.body).toMatchObject({
      ...{ changed: true, from: 'failed' },
      task: {
        status: 'pending',
        retryCount: 0,
        priority: 1,
        scheduledAt,
        errorMessage: null,
        completedAt: null,
      },
    });
    const { rows } = await run('select requeued_by from dead_letters');
    expect(rows).toMatchObject([{ requeued_by: expect.stringMatching(/^user:admin/) }]);
  });

  test('keeps the attempts that were made where it is told to, and refuses a time that is none', async () => {
    const id = await submit('https://a.example/');
    await fail(id);
    const restart = (body: Row) => admin.post(`/api/admin/tasks/${id}/restart`, body);
    expect((await restart({ scheduledAt: '2020-01-01T00:00:00Z' })).problem?.code).toBe('schedule-past');
    expect((await restart({ scheduledAt: '9999-01-01T00:00:00Z' })).problem?.code).toBe('schedule-too-far');
    expect((await restart({ priority: 0 })).problem?.code).toBe('invalid');
    expect((await restart({ resetRetryCount: false })).body).toMatchObject({ task: { retryCount: 3 } });
  });

  test('only the parsing needs something that is kept', async () => {
    const id = await submit('https://a.example/');
    await fail(id);
    expect((await admin.post(`/api/admin/tasks/${id}/restart-parsing`)).problem).toMatchObject({
      ...{ status: 409, code: 'no-stored-body' },
    });
  });

  test('the failed ones: counted first, by domain, date and limit, without those whose pages have a live task', async () => {
    const restart = async (body: Row = {}) =>
      bodyOf(await admin.post('/api/admin/tasks/restart-failed', body));
    const tasks = ['a', 'b'].flatMap((name) =>
      Array.from({ length: 6 }, (_, n) => `https://${name}.example/${n}`),
    );
    const { ids } = bodyOf<{ ids: number[] }>(await admin.post('/api/admin/tasks/bulk', { tasks }));
    for (const id of ids) await fail(id);
    await submit('https://a.example/0');
    await run("update crawl_tasks set completed_at = now() - interval '3 days' where id = $1", [ids[1]]);
    expect(await restart({ dry_run: true })).toEqual({
      ...{ restarted: 11, skipped: 1, isDryRun: true, isComplete: true, matched: 12, isPartial: false },
    });
    const recently = new Date(Date.now() - 86_400_000).toISOString();
    expect(await restart({ domain: 'a.example', failed_after: recently, dryRun: true })).toMatchObject({
      restarted: 4,
    });
    expect(await restart({ domain: 'a.example', failed_after: recently })).toEqual({
      ...{ restarted: 4, skipped: 1, isDryRun: false, isComplete: true, matched: null, isPartial: false },
    });
    expect(await restart({ limit: 5 })).toMatchObject({ restarted: 5 });
    expect(await restart()).toMatchObject({ restarted: 2, skipped: 1 });
    expect(await restart()).toMatchObject({ restarted: 0, skipped: 1 });
    const { problem } = await admin.post('/api/admin/tasks/restart-failed', { limit: 100_001 });
    expect(problem?.code).toBe('invalid');
    expect((await admin.post('/api/admin/tasks/restart-failed', { batchId: 9_999_999 })).problem?.code).toBe(
      'unknown-batch',
    );
  });
});

describe('PATCH', () => {
  test('a new priority reorders what waits in the queue, and the domain tells the best of it', async () => {
    const first = await submit('https://a.example/1', { priority: 4 });
    const second = await submit('https://a.example/2', { priority: 6 });
    await run("update crawl_tasks set status = 'queued'");
    await run('update domains set task_priority = 4');
    const best = async () => (await run('select task_priority from domains')).rows[0]?.task_priority;
    const changed = await admin.patch(`/api/admin/tasks/${second}/priority`, { priority: 1 });
    expect(changed.body).toMatchObject({ changed: true, task: { priority: 1 } });
    expect(await best()).toBe(1);
    const { rows } = await run(
      "select id from crawl_tasks where status = 'queued' order by priority, scheduled_at, id",
    );
    expect(rows.map(({ id }) => id)).toEqual([second, first]);
    await admin.patch(`/api/admin/tasks/${second}/priority`, { priority: 9 });
    expect(await best()).toBe(4);
    expect((await admin.patch(`/api/admin/tasks/${second}/priority`, { priority: 9 })).body).toMatchObject({
      changed: false,
    });
    for (const priority of [0, 11, 1.5, '1']) {
      const { problem } = await admin.patch(`/api/admin/tasks/${second}/priority`, { priority });
      expect(problem?.code).toBe('invalid');
    }
  });

  test('a parent is given and taken away; a circle of parents is refused with the way it goes', async () => {
    const [a, b, c] = [
      await submit('https://a.example/1'),
      await submit('https://b.example/2'),
      await submit('https://a.example/3'),
    ];
    const give = (id: number, parentTaskId: number | null) =>
      admin.patch(`/api/admin/tasks/${id}`, { parentTaskId });
    expect((await give(b, a)).body).toMatchObject({ task: { parentTaskId: a, isWaiting: true } });
    expect((await give(c, b)).body).toMatchObject({ task: { parentTaskId: b } });
    const circle = await give(a, c);
    expect(circle.problem).toMatchObject({ status: 409, code: 'parent-cycle' });
    expect(circle.problem?.detail).toContain(`${c} waits for ${b} waits for ${a}`);
    expect((await give(a, a)).problem?.code).toBe('parent-cycle');
    expect((await give(a, 99_999_999)).problem).toMatchObject({ status: 422, code: 'unknown-parent' });
    expect((await give(c, null)).body).toMatchObject({ task: { parentTaskId: null, isWaiting: false } });
    expect((await give(a, c)).body).toMatchObject({ task: { parentTaskId: c } });
  });

  test('circles that several would close at once are not closed', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await submit(`https://d${n}.example/`));
    await Promise.all(
      ids.map((id, n) => admin.patch(`/api/admin/tasks/${id}`, { parentTaskId: ids[(n + 1) % ids.length] })),
    );
    const { rows } = await run('select count(parent_task_id)::int as count from crawl_tasks');
    expect(rows).toEqual([{ count: 5 }]);
  });

  test('what is on its way has no parent to wait for any more, and what is over is not changed', async () => {
    const [id, other] = [await submit('https://a.example/1'), await submit('https://a.example/2')];
    expect((await admin.patch(`/api/admin/tasks/${id}`, { max_retries: 0 })).body).toMatchObject({
      task: { maxRetries: 0 },
    });
    await move(id, 'queued');
    const { problem } = await admin.patch(`/api/admin/tasks/${id}`, { parentTaskId: other });
    expect(problem).toMatchObject({ status: 409, code: 'wrong-state' });
    await admin.post(`/api/admin/tasks/${id}/cancel`);
    expect((await admin.patch(`/api/admin/tasks/${id}`, { maxRetries: 1 })).problem?.code).toBe(
      'wrong-state',
    );
    expect((await admin.patch('/api/admin/tasks/99999999', { maxRetries: 1 })).problem?.code).toBe(
      'unknown-task',
    );
  });
});
