/** Work that was given up, over HTTP, and its second chance. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of ['dead_letters', 'domains']) await server.database.execute(`delete from ${table}`);
  for (const name of ['a.example', 'b.example']) {
    await server.database.execute(
      "insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1)",
      [name],
    );
  }
});

/** A task that was tried as often as it may and has failed; its dead letter is the database's doing. */
async function fail(domain: string, path: string, priority = 5): Promise<{ taskId: number; id: number }> {
  const url = `https://${domain}/${path}`;
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into crawl_tasks (domain_id, url, url_hash, status, priority, retry_count)
     select id, $2, $3, 'crawling', $4, 3 from domains where domain = $1 returning id`,
    [domain, url, createHash('sha256').update(url).digest(), priority],
  );
  const taskId = rows[0]?.id ?? 0;
  await server.database.execute(
    "update crawl_tasks set status = 'failed', error_message = 'It did not answer.', moved_by = 'worker' where id = $1",
    [taskId],
  );
  const letters = await server.database.db.query<{ id: number }>(
    'select id from dead_letters where task_id = $1',
    [taskId],
  );
  return { taskId, id: letters.rows[0]?.id ?? 0 };
}

async function addMessage(): Promise<number> {
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into dead_letters (queue, reason, payload) values ('crawl_queue', 'no task in it', '{"odd": true}') returning id`,
  );
  return rows[0]?.id ?? 0;
}

const open = async (query: Record<string, string | number> = {}) =>
  ((await admin.get('/api/admin/dead-letters', query)).body as { items: { id: number }[] }).items;

async function readTask(id: number) {
  const { rows } = await server.database.db.query<{ status: string; retry_count: number; moved_by: string }>(
    'select status, retry_count, moved_by from crawl_tasks where id = $1',
    [id],
  );
  return rows[0];
}

describe('GET /api/admin/dead-letters', () => {
  test('gives the open ones with their URL, the latest first, in pages', async () => {
    const letters = [];
    for (let n = 0; n < 5; n += 1) letters.push(await fail('a.example', `${n}`, n === 0 ? 1 : 5));
    const message = await addMessage();
    const items: { id: number; url: string | null; queue: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await admin.get('/api/admin/dead-letters', {
        limit: 2,
        ...(cursor === '' ? {} : { cursor }),
      });
      const page = body as { items: typeof items; nextCursor: string | null };
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(items.map(({ id }) => id)).toEqual([message, ...letters.map(({ id }) => id).reverse()]);
    expect(items[0]).toMatchObject({
      taskId: null,
      url: null,
      payload: { odd: true },
      reason: 'no task in it',
    });
    expect(items[1]).toMatchObject({
      ...{ url: 'https://a.example/4', domain: 'a.example', queue: 'crawl_queue', taskStatus: 'failed' },
      ...{ reason: 'It did not answer.', retryCount: 3, requeuedAt: null },
    });
    expect(items.at(-1)).toMatchObject({ queue: 'priority_queue' });
  });

  test('by queue and by domain', async () => {
    await fail('a.example', 'x', 1);
    await fail('b.example', 'y');
    expect(await open({ queue: 'priority_queue' })).toHaveLength(1);
    expect(await open({ queue: 'parse_queue' })).toHaveLength(0);
    expect(await open({ domain: 'b.example' })).toMatchObject([{ url: 'https://b.example/y' }]);
    expect((await admin.get('/api/admin/dead-letters?domain=nowhere.example')).problem?.code).toBe(
      'unknown-domain',
    );
    expect((await admin.get('/api/admin/dead-letters?queue=')).problem?.code).toBe('invalid');
  });

  test('is for administrators', async () => {
    for (const [method, path] of [
      ['GET', '/api/admin/dead-letters'],
      ['POST', '/api/admin/dead-letters/1/requeue'],
      ['POST', '/api/admin/dead-letters/requeue'],
    ] as const) {
      expect((await server.client().request(method, path)).status).toBe(401);
      for (const role of ['user', 'bot'] as const) {
        expect((await (await server.as(role)).request(method, path)).status).toBe(403);
      }
    }
  });
});

describe('requeueing one', () => {
  test('makes its task pending with all its retries, closes the letter, and is harmless twice', async () => {
    const { taskId, id } = await fail('a.example', 'once');
    const { status, body } = await admin.post(`/api/admin/dead-letters/${id}/requeue`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      changed: true,
      deadLetter: { id, taskStatus: 'pending', requeuedAt: expect.any(String) },
    });
    const { deadLetter } = body as { deadLetter: { requeuedBy: string } };
    expect(await readTask(taskId)).toEqual({
      status: 'pending',
      retry_count: 0,
      moved_by: deadLetter.requeuedBy,
    });
    expect(deadLetter.requeuedBy).toMatch(/^user:admin/);
    const again = await admin.post(`/api/admin/dead-letters/${id}/requeue`);
    expect(again.body).toMatchObject({ changed: false });
    expect(await open()).toEqual([]);
    const { rows } = await server.database.db.query(
      "select from audit_log where action = 'dead-letter.requeue' and target = $1",
      [String(id)],
    );
    expect(rows).toHaveLength(1);
    const events = await server.database.db.query<{ reason: string | null }>(
      "select reason from task_events where task_id = $1 and from_status = 'failed'",
      [taskId],
    );
    expect(events.rows).toEqual([{ reason: 'requeued from the dead letters' }]);
  });

  test('by ten at once changes it once', async () => {
    const { taskId, id } = await fail('a.example', 'race');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.post(`/api/admin/dead-letters/${id}/requeue`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(answers.filter(({ body }) => (body as { changed: boolean }).changed)).toHaveLength(1);
    expect(await readTask(taskId)).toMatchObject({ status: 'pending' });
  });

  test('whose page has another live task is a clear 409, and the letter stays open', async () => {
    const { taskId, id } = await fail('a.example', 'twin');
    await server.database.execute(
      `insert into crawl_tasks (domain_id, url, url_hash)
       select domain_id, url, url_hash from crawl_tasks where id = $1`,
      [taskId],
    );
    const { problem } = await admin.post(`/api/admin/dead-letters/${id}/requeue`);
    expect(problem).toMatchObject({ status: 409, code: 'duplicate-task' });
    expect(problem?.detail).toContain('https://a.example/twin');
    expect(await readTask(taskId)).toMatchObject({ status: 'failed' });
    expect(await open()).toHaveLength(1);
  });

  test('of a message without a task marks it as dealt with', async () => {
    const id = await addMessage();
    expect((await admin.post(`/api/admin/dead-letters/${id}/requeue`)).body).toMatchObject({ changed: true });
    expect(await open()).toEqual([]);
  });

  test('that is not there is a 404', async () => {
    expect((await admin.post('/api/admin/dead-letters/999999/requeue')).problem?.code).toBe(
      'unknown-dead-letter',
    );
    expect((await admin.post('/api/admin/dead-letters/0/requeue')).problem?.code).toBe('invalid');
  });
});

describe('requeueing many', () => {
  const requeue = async (body: object) => (await admin.post('/api/admin/dead-letters/requeue', body)).body;

  test('counts without doing anything when asked to, then does as many as wanted', async () => {
    for (let n = 0; n < 6; n += 1) await fail(n < 4 ? 'a.example' : 'b.example', `${n}`);
    await addMessage();
    const all = { matched: 7, requeued: 6, dismissed: 1, skipped: 0 };
    expect(await requeue({ all: true, dry_run: true })).toEqual({ isDryRun: true, ...all });
    expect(await open()).toHaveLength(7);
    expect(await requeue({ domain: 'b.example' })).toMatchObject({ matched: 2, requeued: 2, dismissed: 0 });
    expect(await requeue({ all: true, limit: 3 })).toMatchObject({ matched: 3, requeued: 3 });
    expect(await open()).toHaveLength(2);
    expect(await requeue({ all: true })).toMatchObject({ matched: 2, requeued: 1, dismissed: 1 });
    expect(await requeue({ all: true })).toEqual({
      ...{ isDryRun: false, matched: 0, requeued: 0, dismissed: 0, skipped: 0 },
    });
  });

  test('more than a portion, passing over those whose page has a live task', async () => {
    await server.database.execute(`
      insert into crawl_tasks (domain_id, url, url_hash, status)
      select d.id, 'https://a.example/' || n, sha256(('https://a.example/' || n)::bytea), 'crawling'
        from domains d, generate_series(1, 2500) as n where d.domain = 'a.example'`);
    await server.database.execute("update crawl_tasks set status = 'failed', moved_by = 'worker'");
    await server.database.execute(`
      insert into crawl_tasks (domain_id, url, url_hash)
      select domain_id, url, url_hash from crawl_tasks order by id limit 10`);
    const expected = { matched: 2500, requeued: 2490, dismissed: 0, skipped: 10 };
    expect(await requeue({ all: true, limit: 10_000, dryRun: true })).toEqual({
      isDryRun: true,
      ...expected,
    });
    expect(await requeue({ all: true, limit: 10_000 })).toEqual({ isDryRun: false, ...expected });
    const { rows } = await server.database.db.query<{ status: string; count: number }>(
      'select status, count(*) as count from crawl_tasks group by 1 order by 1',
    );
    expect(rows).toEqual([
      { status: 'pending', count: 2500 },
      { status: 'failed', count: 10 },
    ]);
  });

  test('needs to be told which ones, or that it is all of them', async () => {
    await fail('a.example', '1');
    for (const body of [
      {},
      undefined,
      { limit: 5 },
      { dryRun: true },
      { all: false },
      { all: true, queue: 'x' },
    ]) {
      const { problem } = await admin.post('/api/admin/dead-letters/requeue', body);
      expect(problem, JSON.stringify(body)).toMatchObject({ status: 400, code: 'invalid' });
    }
    expect((await admin.post('/api/admin/dead-letters/requeue', {})).problem?.detail).toBe(
      'body: name a queue or a domain, or say all: true to mean every one, not both',
    );
    expect(await open()).toHaveLength(1);
  });

  test.each([{ limit: 0 }, { limit: 10_001 }, { queue: '' }, { dryRun: 'yes' }, { domains: ['a.example'] }])(
    '%j is refused',
    async (fields) => {
      const body = { all: true, ...fields };
      expect((await admin.post('/api/admin/dead-letters/requeue', body)).problem?.code).toBe('invalid');
    },
  );
});
