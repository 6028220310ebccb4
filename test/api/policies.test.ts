import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { moveTask, readHistory, tick } from '../support/scheduling.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());

interface Policy {
  readonly id: number;
  readonly url: string;
  readonly nextRunAt: string;
  readonly liveTaskId: number | null;
  readonly isEnabled: boolean;
}
interface Page {
  items: Policy[];
  nextCursor: string | null;
}

let pages = 0;
const newUrl = (): string => {
  pages += 1;
  return `https://shop.example/p/${pages}`;
};

async function create(more: Readonly<Record<string, unknown>> = {}): Promise<Policy> {
  const answer = await admin.post('/api/admin/policies', { url: newUrl(), frequencyHours: 24, ...more });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Policy;
}

const read = async (id: number): Promise<Policy & { runs: { taskId: number; status: string }[] }> =>
  (await admin.get(`/api/admin/policies/${id}`)).body as Policy & {
    runs: { taskId: number; status: string }[];
  };

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const hoursUntil = (time: string): number => Math.round((Date.parse(time) - Date.now()) / 3_600_000);

describe('who may', () => {
  test.each([
    ['GET', '/api/admin/policies'],
    ['POST', '/api/admin/policies'],
    ['GET', '/api/admin/policies/1'],
    ['PATCH', '/api/admin/policies/1'],
    ['DELETE', '/api/admin/policies/1'],
    ['POST', '/api/admin/policies/1/enable'],
    ['POST', '/api/admin/policies/1/disable'],
    ['POST', '/api/admin/policies/1/run'],
  ])('%s %s is for administrators only', async (method, path) => {
    const clients = [
      server.client(),
      await server.as('user'),
      await server.as('bot'),
      await server.as('admin', ['read']),
    ];
    const codes = await Promise.all(
      clients.map(async (client) => (await client.request(method, path)).problem?.code),
    );
    expect(codes).toEqual(['not-logged-in', 'not-permitted', 'not-permitted', 'not-permitted']);
  });
});

describe('making one', () => {
  test('the page is read as any other, the domain made known for its tasks, and the first run due at once', async () => {
    const answer = await admin.post('/api/admin/policies', {
      ...{ url: 'HTTPS://New-Shop.example:443/Deals/../sale?b=2&a=1#top', frequencyHours: 6, priority: 2 },
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body as Policy;
    expect(answer.headers.get('location')).toBe(`/api/admin/policies/${id}`);
    expect(answer.body).toMatchObject({
      ...{
        domain: 'new-shop.example',
        frequencyHours: 6,
        priority: 2,
        maxRetries: 3,
        retryBackoffMinutes: 5,
      },
      ...{ timeoutMinutes: 10, executor: 'forager', isEnabled: true, liveTaskId: null, runsCount: 0 },
    });
    expect((answer.body as Policy).url).not.toContain('#top');
    const { rows } = await server.database.db.query(
      "select is_explored from domains where domain = 'new-shop.example'",
    );
    expect(rows).toEqual([{ is_explored: false }]);
    await tick(server.database);
    const shown = await read(id);
    expect(shown.runs).toMatchObject([{ status: 'queued', recrawlCount: 0 }]);
    expect(shown.liveTaskId).toBe(shown.runs[0]?.taskId);
  });

  test('the names of the seed are understood, and a first time', async () => {
    const policy = await create({
      ...{ frequencyHours: undefined, frequency_hours: 0.5, max_retries: 1, retry_backoff_minutes: 7 },
      ...{ timeout_minutes: 3, is_enabled: false, next_run_at: inHours(5), executor: 'bot' },
    });
    expect(policy).toMatchObject({
      ...{ frequencyHours: 0.5, maxRetries: 1, retryBackoffMinutes: 7, timeoutMinutes: 3 },
      ...{ isEnabled: false, executor: 'bot' },
    });
    expect(hoursUntil(policy.nextRunAt)).toBe(5);
  });

  test('a second for the same page, however it is written, is a conflict that names the first', async () => {
    const { id, url } = await create();
    const answer = await admin.post('/api/admin/policies', { url: `${url}#again`, frequencyHours: 1 });
    expect(answer.status).toBe(409);
    expect(answer.problem).toMatchObject({ code: 'policy-exists' });
    expect(answer.problem?.detail).toContain(`Policy ${id} `);
  });

  test('two at the same time make one', async () => {
    const url = newUrl();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin.post('/api/admin/policies', { url, frequencyHours: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test.each([
    ['no frequency', { frequencyHours: undefined }, 'body.frequencyHours', 'is missing'],
    ['a frequency of zero', { frequencyHours: 0 }, 'body.frequencyHours', 'must be more than 0'],
    ['a negative frequency', { frequencyHours: -1 }, 'body.frequencyHours', 'must be more than 0'],
    ['a frequency of seconds', { frequencyHours: 0.001 }, 'body.frequencyHours', 'at least a minute'],
    ['a frequency of ages', { frequencyHours: 87_601 }, 'body.frequencyHours', 'ten years'],
    ['priority 0', { priority: 0 }, 'body.priority', 'must be at least 1'],
    ['priority 11', { priority: 11 }, 'body.priority', 'must be at most 10'],
    ['half a retry', { maxRetries: 0.5 }, 'body.maxRetries', 'whole number'],
    ['no wait', { retryBackoffMinutes: 0 }, 'body.retryBackoffMinutes', 'must be at least 1'],
    ['an unknown executor', { executor: 'me' }, 'body.executor', ''],
    ['a time without a zone', { nextRunAt: '2030-01-01T00:00:00' }, 'body.nextRunAt', ''],
  ])('%s is refused where it stands', async (_title, more, path, message) => {
    const answer = await admin.post('/api/admin/policies', { url: newUrl(), frequencyHours: 24, ...more });
    expect(answer.status).toBe(400);
    expect(answer.problem?.errors).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  test.each([
    ['no URL', { url: 'ftp://shop.example/' }, 'bad-url'],
    ['a private address', { url: 'http://127.0.0.1/' }, 'bad-url'],
    ['the past', { nextRunAt: '2001-01-01T00:00:00Z' }, 'schedule-past'],
    ['another age', { nextRunAt: '9999-01-01T00:00:00Z' }, 'schedule-too-far'],
  ])('%s is refused', async (_title, more, code) => {
    const answer = await admin.post('/api/admin/policies', { url: newUrl(), frequencyHours: 24, ...more });
    expect(answer.problem?.code).toBe(code);
  });
});

describe('the list', () => {
  test('is filtered, sorted both ways, and goes through the pages without a gap', async () => {
    const made: Policy[] = [];
    for (let n = 0; n < 7; n += 1) {
      made.push(
        await create({
          ...{ url: `https://listed.example/${n}`, nextRunAt: inHours(10 + ((n * 3) % 7)) },
          ...{ isEnabled: n % 2 === 0, executor: n === 3 ? 'bot' : 'forager' },
        }),
      );
    }
    const readAll = async (query: Record<string, string | number>): Promise<number[]> => {
      const items: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = (
          await admin.get('/api/admin/policies', {
            ...{ domain: 'listed.example', limit: 2, ...query },
            ...(cursor === undefined ? {} : { cursor }),
          })
        ).body as Page;
        items.push(...page.items.map(({ url }) => Number(url.at(-1))));
        cursor = page.nextCursor;
      }
      return items;
    };
    expect(await readAll({})).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await readAll({ order: 'asc' })).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await readAll({ sort: 'nextRun', order: 'asc' })).toEqual([0, 5, 3, 1, 6, 4, 2]);
    expect(await readAll({ sort: 'nextRun', order: 'desc' })).toEqual([2, 4, 6, 1, 3, 5, 0]);
    expect(await readAll({ isEnabled: 'false', order: 'asc' })).toEqual([1, 3, 5]);
    expect(await readAll({ executor: 'bot' })).toEqual([3]);
    expect(await readAll({ search: 'EXAMPLE/4' })).toEqual([4]);
    expect(await readAll({ isRunning: 'true' })).toEqual([]);
    expect(await readAll({ isFailing: 'false', limit: 200 })).toHaveLength(7);
    expect((await admin.get('/api/admin/policies', { domain: 'nowhere.example' })).problem?.code).toBe(
      'unknown-domain',
    );
    expect((await admin.get('/api/admin/policies', { sort: 'url' })).problem?.code).toBe('invalid');
    const { nextCursor } = (await admin.get('/api/admin/policies', { limit: 1 })).body as Page;
    const other = await admin.get('/api/admin/policies', { cursor: nextCursor ?? '', sort: 'nextRun' });
    expect(other.problem?.code).toBe('bad-cursor');
  });
});

describe('changing one', () => {
  test('sets what is named, leaves the rest, and is on record', async () => {
    const { id } = await create({ nextRunAt: inHours(3) });
    const answer = await admin.patch(`/api/admin/policies/${id}`, { priority: 1, max_retries: 0 });
    expect(answer.body).toMatchObject({ priority: 1, maxRetries: 0, frequencyHours: 24, timeoutMinutes: 10 });
    expect(hoursUntil((answer.body as Policy).nextRunAt)).toBe(3);
    const { rows } = await server.database.db.query(
      'select action from audit_log where target = $1 order by id',
      [`policy ${id}`],
    );
    expect(rows).toEqual([{ action: 'policy.create' }, { action: 'policy.change' }]);
  });

  test('another frequency counts from the last run that went well; a time that is named wins', async () => {
    const { id } = await create();
    await tick(server.database);
    const { liveTaskId } = await read(id);
    await moveTask(server.database, liveTaskId ?? 0, 'crawling', 'completed');
    expect(hoursUntil((await read(id)).nextRunAt)).toBe(24);
    await admin.patch(`/api/admin/policies/${id}`, { frequencyHours: 6 });
    expect(hoursUntil((await read(id)).nextRunAt)).toBe(6);
    await admin.patch(`/api/admin/policies/${id}`, { frequencyHours: 48, nextRunAt: inHours(2) });
    expect(hoursUntil((await read(id)).nextRunAt)).toBe(2);
  });

  test.each([
    [{ frequencyHours: 0 }, 'invalid'],
    [{ url: 'https://other.example/' }, 'invalid'],
    [{ nextRunAt: '2001-01-01T00:00:00Z' }, 'schedule-past'],
  ])('%j is refused', async (body, code) => {
    const { id } = await create({ nextRunAt: inHours(3) });
    expect((await admin.patch(`/api/admin/policies/${id}`, body)).problem?.code).toBe(code);
  });
});

describe('switching one', () => {
  test('off leaves its task alone, and doing it twice is harmless', async () => {
    const { id } = await create();
    await tick(server.database);
    const { liveTaskId } = await read(id);
    const off = await admin.post(`/api/admin/policies/${id}/disable`);
    expect(off.body).toMatchObject({ changed: true, isEnabled: false, liveTaskId, liveTaskStatus: 'queued' });
    expect((await admin.post(`/api/admin/policies/${id}/disable`)).body).toMatchObject({ changed: false });
    await moveTask(server.database, liveTaskId ?? 0, 'crawling', 'completed');
    await server.database.execute(
      "update crawl_policies set next_run_at = now() - interval '9 days' where id = $1",
      [id],
    );
    await tick(server.database);
    expect((await read(id)).runs).toHaveLength(1);
    const on = await admin.post(`/api/admin/policies/${id}/enable`);
    expect(on.body).toMatchObject({ changed: true, isEnabled: true });
    await tick(server.database);
    await tick(server.database);
    expect((await read(id)).runs).toHaveLength(2);
  });
});

describe('running one now', () => {
  test('makes its task at once, also where it is off; while that is under way it is named instead', async () => {
    const { id } = await create({ isEnabled: false, nextRunAt: inHours(100) });
    const first = await admin.post(`/api/admin/policies/${id}/run`);
    expect(first.body).toMatchObject({
      changed: true,
      taskStatus: 'pending',
      runsCount: 1,
      isEnabled: false,
    });
    const { taskId } = first.body as { taskId: number };
    expect(await readHistory(server.database, taskId)).toEqual([`>pending by policy:${id}`]);
    await tick(server.database);
    const second = await admin.post(`/api/admin/policies/${id}/run`);
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({ changed: false, taskId, taskStatus: 'queued', runsCount: 1 });
    await moveTask(server.database, taskId, 'crawling', 'completed');
    const shown = await read(id);
    expect(shown.liveTaskId).toBeNull();
    expect(hoursUntil(shown.nextRunAt)).toBe(24);
  });

  test('ten times at once makes one task', async () => {
    const { id } = await create({ nextRunAt: inHours(100) });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.post(`/api/admin/policies/${id}/run`)),
    );
    const bodies = answers.map(({ body }) => body as { changed: boolean; taskId: number });
    expect(bodies.filter(({ changed }) => changed)).toHaveLength(1);
    expect(new Set(bodies.map(({ taskId }) => taskId)).size).toBe(1);
    expect((await read(id)).runs).toHaveLength(1);
  });
});

describe('removing one', () => {
  test('keeps its tasks, also the one that is under way', async () => {
    const { id, url } = await create();
    await tick(server.database);
    const { liveTaskId } = await read(id);
    expect((await admin.delete(`/api/admin/policies/${id}`)).status).toBe(204);
    const { rows } = await server.database.db.query(
      'select status, policy_id from crawl_tasks where id = $1',
      [liveTaskId],
    );
    expect(rows).toEqual([{ status: 'queued', policy_id: null }]);
    await moveTask(server.database, liveTaskId ?? 0, 'crawling', 'completed');
    // The page may have another one now.
    expect((await admin.post('/api/admin/policies', { url, frequencyHours: 1 })).status).toBe(201);
  });
});

test.each([
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', '/enable'],
  ['POST', '/disable'],
  ['POST', '/run'],
])('%s of one that is not there says so (%s)', async (method, action) => {
  const request = method === 'PATCH' ? { body: { priority: 1 } } : {};
  const answer = await admin.request(method, `/api/admin/policies/999999${action}`, request);
  expect(answer.status).toBe(404);
  expect(answer.problem?.code).toBe('unknown-policy');
});

test('a server that refuses domains it does not know makes no policy for them', async () => {
  const strict = await startTestServer({ unknownDomains: 'refuse' });
  try {
    const client = await strict.as('admin');
    const answer = await client.post('/api/admin/policies', {
      ...{ url: 'https://stranger.example/', frequencyHours: 1 },
    });
    expect(answer.problem?.code).toBe('unknown-domain');
  } finally {
    await strict.close();
  }
});

test('who schedules can be asked by whoever may read', async () => {
  await server.database.execute(
    "insert into schedulers (id, host, pid, program_version, leads_since) values ('s1', 'h', 1, '1', now())",
  );
  const answer = await (await server.as('user')).get('/api/schedulers');
  expect(answer.body).toMatchObject({ items: [{ id: 's1', state: 'leading' }] });
  expect((await server.client().get('/api/schedulers')).status).toBe(401);
});
