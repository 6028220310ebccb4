/** What went wrong, over HTTP: single errors and their counts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countErrors } from '../../src/control/errors/count-errors.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let user: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  user = await server.as('user');
  for (const name of ['a', 'b', 'c']) {
    await server.database.execute(
      "insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1)",
      [`${name}.example`],
    );
  }
  // From two minutes ago back, one a minute: 30 of a, 20 of b, 10 of c; the first 12 belong to task 7.
  await server.database.execute(`
    insert into error_logs (task_id, domain_id, url, category, code, message, http_status, attempt, occurred_at)
    select case when n <= 12 then 7 end,
           (select id from domains where domain = case when n <= 30 then 'a' when n <= 50 then 'b' else 'c' end || '.example'),
           'https://x.example/' || n,
           (array['network', 'http', 'robots'])[1 + n % 3],
           (array['timeout', 'server-error', 'robots-denied'])[1 + n % 3],
           'message <b>' || n || '</b>', case when n % 3 = 1 then 503 end, 1, now() - (n + 1) * interval '1 minute'
      from generate_series(1, 60) as n`);
});
afterAll(() => server.close());

interface Item {
  readonly id: number;
  readonly url: string;
  readonly occurredAt: string;
  readonly domain: string;
  readonly category: string;
}
interface Page {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

async function readAll(query: Record<string, string | number>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await user.get('/api/errors', { ...query, ...(cursor === '' ? {} : { cursor }) });
    expect(answer.status, answer.text).toBe(200);
    const page = answer.body as Page;
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

describe('GET /api/errors', () => {
  test('gives all of them in pages, the latest first, each once', async () => {
    const items = await readAll({ limit: 7 });
    expect(items.map(({ url }) => url)).toEqual(
      Array.from({ length: 60 }, (_, n) => `https://x.example/${n + 1}`),
    );
    expect(items[0]).toMatchObject({ domain: 'a.example', category: 'http', taskId: 7, httpStatus: 503 });
  });

  test.each<[Record<string, string | number>, number]>([
    [{ category: 'network' }, 20],
    [{ domain: 'b.example' }, 20],
    [{ domain: 'https://www.b.example/some/page' }, 20],
    [{ taskId: 7 }, 12],
    [{ code: 'timeout' }, 20],
    [{ code: 'nothing' }, 0],
    [{ category: 'http', domain: 'c.example' }, 3],
  ])('with %j gives what fits', async (query, count) => {
    expect(await readAll({ ...query, limit: 5 })).toHaveLength(count);
  });

  test('between two times gives those from the first on and before the second', async () => {
    const all = await readAll({ limit: 200 });
    const since = all[19]?.occurredAt ?? '';
    const until = all[9]?.occurredAt ?? '';
    expect((await readAll({ since, until, limit: 4 })).length).toBeGreaterThanOrEqual(9);
    expect((await readAll({ since: '2099-01-01T00:00:00Z' })).length).toBe(0);
  });

  test.each([
    ['category=magic', 'invalid'],
    ['taskId=0', 'invalid'],
    ['since=yesterday', 'invalid'],
    ['limit=0', 'invalid'],
    ['limit=201', 'invalid'],
    ['cursor=abc', 'bad-cursor'],
    ['domain=nowhere.example', 'unknown-domain'],
    ['domain=%2F%2F', 'bad-domain'],
    ['code=', 'invalid'],
  ])('%s is refused as %s', async (query, code) => {
    expect((await user.get(`/api/errors?${query}`)).problem?.code).toBe(code);
  });

  test('is for whoever may read', async () => {
    expect((await server.client().get('/api/errors')).status).toBe(401);
    expect((await (await server.as('bot')).get('/api/errors')).status).toBe(403);
    expect((await (await server.as('bot')).get('/api/errors/stats')).status).toBe(403);
  });
});

describe('GET /api/errors/stats', () => {
  test('counts by category, code, domain and day', async () => {
    const { body } = await user.get('/api/errors/stats', { top: 2 });
    expect(body).toMatchObject({
      ...{ total: 60, isPartial: false },
      categories: { network: 20, http: 20, robots: 20, parse: 0, validation: 0, proxy: 0 },
      domains: [
        { domain: 'a.example', count: 30 },
        { domain: 'b.example', count: 20 },
      ],
    });
    const { codes, days } = body as { codes: unknown[]; days: { day: string; count: number }[] };
    expect(codes).toHaveLength(2);
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    expect(days.length).toBeGreaterThanOrEqual(8);
    expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).sort());
  });

  test('of one domain, and of a time without errors', async () => {
    expect((await user.get('/api/errors/stats', { domain: 'c.example' })).body).toMatchObject({ total: 10 });
    const { body } = await user.get('/api/errors/stats', {
      ...{ from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z' },
    });
    expect(body).toMatchObject({
      ...{ total: 0, countedFrom: null, domains: [], codes: [] },
      days: [
        { day: '2020-01-01', count: 0 },
        { day: '2020-01-02', count: 0 },
      ],
    });
  });

  test('of more than can be counted the latest are, and that is said', async () => {
    const stats = await countErrors(server.database.db, { top: 5 }, 40);
    expect(stats).toMatchObject({ isPartial: true, total: 40 });
    expect(stats.domains.map(({ domain }) => domain)).toEqual(['a.example', 'b.example']);
  });

  test.each([
    'from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z',
    'from=2020-01-01T00:00:00Z',
    'top=0',
    'top=101',
    'to=soon',
  ])('%s is refused', async (query) => {
    expect((await user.get(`/api/errors/stats?${query}`)).problem?.code).toBe('invalid');
  });
});
