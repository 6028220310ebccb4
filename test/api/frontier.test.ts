import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { waitUntil } from '../support/crawl-support.ts';

let server: TestServer;
let admin: ApiClient;
let user: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
  user = await server.as('user');
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of ['domains', 'urls', 'pages', 'workers', 'audit_log', 'jobs']) {
    await server.database.execute(`delete from ${table}`);
  }
});

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}
const bodyOf = <T>(answer: ApiAnswer): T => answer.body as T;

async function walk(query: Record<string, string | number>): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const given: Record<string, string | number> = { ...query, ...(cursor === null ? {} : { cursor }) };
    const page: Page = bodyOf(await user.get('/api/frontier/urls', given));
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

/** Three domains with 40 URLs each, of every state, priority and depth; many found at the same moment. */
async function plant(): Promise<void> {
  await server.database.execute(
    `insert into domains (domain, parent_domain, base_url, pages_discovered)
     select format('d%s.example', n), format('d%s.example', n), format('https://d%s.example', n), 40
       from generate_series(1, 3) n`,
  );
  await server.database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority, state, retry_at, discovered_at)
     select d.id, sha256((d.id || ':' || n)::bytea), format('https://%s/%s', d.domain, n), n % 4, 1 + n % 3,
            (case when n % 10 = 7 then 'failed' when n % 10 = 8 then 'blocked' when n % 10 = 9 then 'fetched'
                  else 'never_crawled' end)::url_state,
            case when n % 10 = 6 then timestamptz '2030-01-01' + (n % 3) * interval '1 h' end,
            timestamptz '2026-01-01' + (n % 5) * interval '1 microsecond'
       from domains d, generate_series(1, 40) n`,
  );
}

async function actions(): Promise<string[]> {
  const { rows } = await server.database.db.query<{ action: string }>(
    'select action from audit_log order by id',
  );
  return rows.map(({ action }) => action);
}

async function jobDone(answer: ApiAnswer): Promise<Record<string, unknown>> {
  expect(answer.status).toBe(202);
  const { id } = bodyOf<{ id: number }>(answer);
  expect(answer.headers.get('location')).toBe(`/api/jobs/${id}`);
  return waitUntil(async () => {
    const job = bodyOf<Record<string, unknown>>(await admin.get(`/api/jobs/${id}`));
    return job.state === 'done' ? job : undefined;
  });
}

describe('GET /api/frontier/urls', () => {
  test.each([
    ['due', 72],
    ['waiting', 12],
    ['fetched', 12],
    ['failed', 12],
    ['blocked', 12],
    ['all', 120],
  ])('%s: every one exactly once, page by page, of all domains and of one', async (state, count) => {
    await plant();
    const all = await walk({ state, limit: 7 });
    expect(all).toHaveLength(count);
    expect(new Set(all.map(({ url }) => url)).size).toBe(count);
    if (state !== 'all') expect(new Set(all.map((item) => item.state))).toEqual(new Set([state]));
    const one = await walk({ state, domain: 'www.d2.example', limit: 5 });
    expect(one).toHaveLength(count / 3);
    expect(new Set(one.map(({ domain }) => domain))).toEqual(new Set(['d2.example']));
  });

  test('due ones come domain after domain in the order in which they are taken', async () => {
    await plant();
    const key = (item: Record<string, unknown>): string =>
      [item.domain, 9 - Number(item.priority), item.depth, item.discoveredAt].join(' ');
    const keys = (await walk({ state: 'due', limit: 11 })).map(key);
    expect(keys).toEqual(keys.toSorted());
  });

  test('filters by priority and depth', async () => {
    await plant();
    for (const state of ['due', 'waiting', 'all', 'failed']) {
      const all = await walk({ state });
      const { priority, depth } = all.at(-1) ?? {};
      const expected = all.filter((item) => item.priority === priority && item.depth === depth);
      const query = { state, priority: Number(priority), depth: Number(depth), limit: 2 };
      expect(await walk(query)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
    }
  });

  test('refuses states, priorities and cursors that are none, and domains nobody knows', async () => {
    await plant();
    for (const query of [{ state: 'done' }, { priority: 4 }, { depth: -1 }, { limit: 201 }]) {
      const given = query as unknown as Record<string, string>;
      expect((await user.get('/api/frontier/urls', given)).problem?.code).toBe('invalid');
    }
    const { nextCursor } = bodyOf<Page>(await user.get('/api/frontier/urls', { limit: 1 }));
    const other = await user.get('/api/frontier/urls', { state: 'all', cursor: nextCursor ?? '' });
    expect(other.problem?.code).toBe('bad-cursor');
    expect((await user.get('/api/frontier/urls', { domain: 'x.example' })).problem?.code).toBe(
      'unknown-domain',
    );
    expect((await server.client().get('/api/frontier/urls')).problem?.status).toBe(401);
    expect((await (await server.as('bot')).get('/api/frontier/urls')).problem?.status).toBe(403);
  });
});

describe('GET /api/frontier/stats', () => {
  test('counts by state, priority and domain, of nothing and of much', async () => {
    await plant();
    const own = await startTestServer();
    try {
      const reader = await own.as('user');
      const empty = bodyOf<{ countedAt: string }>(await reader.get('/api/frontier/stats'));
      expect(empty).toMatchObject({ urls: { total: 0, due: 0 }, oldestDueAt: null, topDomains: [] });
    } finally {
      await own.close();
    }
    const { body } = await user.get('/api/frontier/stats');
    expect(body).toMatchObject({
      urls: { total: 120, due: 72, waiting: 12, fetched: 12, failed: 12, blocked: 12 },
      dueByPriority: { high: 24, normal: 27, low: 21 },
      oldestDueAt: '2026-01-01T00:00:00.000Z',
      domains: [{ status: 'pending', total: 3, ready: 3, claimed: 0, resting: 0, switchedOff: 0 }],
      topDomains: [
        { domain: 'd1.example', due: 24 },
        { domain: 'd2.example', due: 24 },
        { domain: 'd3.example', due: 24 },
      ],
    });
  });
});

describe('POST /api/frontier/add', () => {
  test('adds what can be crawled, tells what cannot and why, and records the act', async () => {
    const { status, body } = await admin.post('/api/frontier/add', {
      urls: [
        'https://a.example/1',
        { url: 'b.example/x', priority: 1, depth: 2 },
        'mailto:me@a.example',
        'https://a.example/1',
        'http://127.0.0.1/',
      ],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ accepted: 3, added: 2, known: 1, newDomains: 2, refusedCount: 2, heldBackCount: 0 },
      refused: [
        { index: 2, url: 'mailto:me@a.example' },
        { index: 4, reason: expect.stringContaining('loopback') },
      ],
    });
    const { rows } = await server.database.db.query(
      'select url, priority, depth, is_seed from urls order by url',
    );
    expect(rows).toEqual([
      { url: 'https://a.example/1', priority: 2, depth: 0, is_seed: false },
      { url: 'https://b.example/x', priority: 1, depth: 2, is_seed: false },
    ]);
    expect(await actions()).toEqual(['frontier.add']);
  });

  test('nothing that can be crawled is refused as a whole, with the place of each', async () => {
    const { problem } = await admin.post('/api/frontier/add', { urls: ['ftp://x/', ''] });
    expect(problem).toMatchObject({
      ...{ status: 422, code: 'nothing-accepted' },
      errors: [{ path: 'body.urls.0' }, { path: 'body.urls.1' }],
    });
  });

  test('ten thousand at once are stored, one more is refused', async () => {
    const urls = Array.from({ length: 10_000 }, (_, n) => `https://s${n % 50}.example/${n}`);
    expect((await admin.post('/api/frontier/add', { urls })).body).toMatchObject({
      added: 10_000,
      newDomains: 50,
    });
    const { rows } = await server.database.db.query<{ wrong: number }>(
      `select count(*)::int as wrong from domains d
        where pages_discovered <> (select count(*) from urls u where u.domain_id = d.id)`,
    );
    expect(rows[0]?.wrong).toBe(0);
    const tooMany = await admin.post('/api/frontier/add', { urls: [...urls, 'https://x.example/'] });
    expect(tooMany.problem?.code).toBe('invalid');
  });

  test('is for whoever may crawl', async () => {
    for (const path of ['/api/frontier/add', '/api/frontier/seed']) {
      expect((await user.post(path, { urls: ['https://a.example/'] })).problem?.status).toBe(403);
      expect((await server.client().post(path, { urls: ['https://a.example/'] })).problem?.status).toBe(401);
      expect((await admin.post(path, { urls: [] })).problem?.code).toBe('invalid');
      expect((await admin.post(path, { urls: ['https://a.example/'], force: true })).problem?.code).toBe(
        'invalid',
      );
    }
  });

  test('the same request under the same key is done once', async () => {
    const key = { 'idempotency-key': 'add-once' };
    const body = { urls: ['https://once.example/'] };
    expect((await admin.post('/api/frontier/add', body, key)).body).toMatchObject({ added: 1 });
    expect((await admin.post('/api/frontier/add', body, key)).body).toMatchObject({ added: 1 });
    expect(await actions()).toEqual(['frontier.add']);
  });
});

describe('POST /api/frontier/seed', () => {
  test('seeds have high priority and a rank; new domains get their limit', async () => {
    const { body } = await admin.post('/api/frontier/seed', {
      ...{ urls: ['a.example', 'https://b.example/x'], maxPagesPerRun: 7, rank: 3 },
    });
    expect(body).toMatchObject({ accepted: 2, added: 2, newDomains: 2, refused: [] });
    const { rows } = await server.database.db.query(
      `select d.domain, d.seed_rank, d.max_pages_per_run, u.priority, u.is_seed
         from domains d join urls u on u.domain_id = d.id order by 1`,
    );
    const expected = { seed_rank: 3, max_pages_per_run: 7, priority: 3, is_seed: true };
    expect(rows).toEqual([
      { domain: 'a.example', ...expected },
      { domain: 'b.example', ...expected },
    ]);
    expect(await actions()).toEqual(['frontier.seed']);
  });

  test('a domain keeps its state whatever is seeded, and its holder is told why nothing comes at once', async () => {
    await admin.post('/api/frontier/seed', {
      urls: ['off.example', 'walled.example', 'rests.example', 'fine.example'],
    });
    const change = (set: string, domain: string) =>
      server.database.execute(`update domains set ${set} where domain = '${domain}'`);
    await change('is_active = false', 'off.example');
    await change("status = 'active', status_code = 'claimed'", 'walled.example');
    await change(
      "status = 'blocked', status_code = 'forbidden', block_reason = 'says 403', next_crawl_after = '2100-01-01'",
      'walled.example',
    );
    await change("next_crawl_after = '2100-01-01'", 'rests.example');
    const urls = ['off.example/n', 'walled.example/n', 'rests.example/n', 'fine.example/n'];
    expect((await admin.post('/api/frontier/seed', { urls })).body).toMatchObject({
      added: 4,
      heldBackCount: 3,
      heldBack: [
        { domain: 'off.example', why: 'inactive', until: null },
        { domain: 'rests.example', why: 'resting', until: '2100-01-01T00:00:00.000Z' },
        { domain: 'walled.example', why: 'blocked', reason: 'says 403' },
      ],
    });
    const { rows } = await server.database.db.query(
      "select status::text from domains where domain = 'walled.example'",
    );
    expect(rows).toEqual([{ status: 'blocked' }]);
  });

  test('a known URL that was read stays read; one that was not comes sooner', async () => {
    await admin.post('/api/frontier/add', {
      urls: ['https://a.example/read', 'https://a.example/new'],
      priority: 1,
    });
    await server.database.execute("update urls set state = 'fetched' where url like '%read'");
    const again = { urls: ['https://a.example/read', 'https://a.example/new'] };
    expect((await admin.post('/api/frontier/seed', again)).body).toMatchObject({
      added: 0,
      known: 2,
      raised: 1,
    });
    const { rows } = await server.database.db.query(
      'select url, state::text, priority from urls order by url',
    );
    expect(rows).toEqual([
      { url: 'https://a.example/new', state: 'never_crawled', priority: 3 },
      { url: 'https://a.example/read', state: 'fetched', priority: 1 },
    ]);
  });
});

describe('POST /api/frontier/recover', () => {
  async function holder(
    id: string,
    domain: string,
    silentSeconds: number,
    leaseSeconds: number,
  ): Promise<void> {
    await server.database.execute(
      `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version, heartbeat_at)
       values ($1, 'i', 'worker', 'elsewhere', 'm', 1, '-.-.-', '0', now() - $2::int * interval '1 s')`,
      [id, silentSeconds],
    );
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url, status, status_code, claimed_by, claim_expires_at, version)
       values ($1, $1, 'https://x', 'active', 'claimed', $2, now() + $3::int * interval '1 s', 5)`,
      [domain, id, leaseSeconds],
    );
  }

  test('frees what ran out and what the silent hold, and never takes from whoever was heard of', async () => {
    await holder('alive', 'alive.example', 10, 600);
    await holder('silent', 'silent.example', 301, 600);
    await holder('expired', 'expired.example', 10, -5);
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url, next_crawl_after)
       values ('rested.example', 'x', 'x', now() - interval '1 s')`,
    );
    expect((await admin.post('/api/frontier/recover', {})).body).toEqual({
      ...{ expiredLeases: 1, silentLeases: 1, goneLeases: 0, wokenDomains: 1, refreshedDomains: 0 },
    });
    const { rows } = await server.database.db.query<{
      domain: string;
      claimed_by: string | null;
      version: number;
    }>('select domain, claimed_by, version from domains order by domain');
    expect(rows).toEqual([
      { domain: 'alive.example', claimed_by: 'alive', version: 5 },
      { domain: 'expired.example', claimed_by: null, version: 6 },
      { domain: 'rested.example', claimed_by: null, version: 0 },
      { domain: 'silent.example', claimed_by: null, version: 6 },
    ]);
    expect((await admin.post('/api/frontier/recover')).body).toEqual({
      ...{ expiredLeases: 0, silentLeases: 0, goneLeases: 0, wokenDomains: 0, refreshedDomains: 0 },
    });
    expect(await actions()).toEqual([
      'frontier.recover',
      'frontier.recovered',
      'frontier.recover',
      'frontier.recovered',
    ]);
  });

  test('nobody can be taken for dead sooner than a worker may be silent', async () => {
    expect((await admin.post('/api/frontier/recover', { staleSeconds: 5 })).problem?.code).toBe('invalid');
    expect((await user.post('/api/frontier/recover')).problem?.status).toBe(403);
  });
});

describe('DELETE /api/frontier', () => {
  const discovered = async (): Promise<unknown[]> =>
    (
      await server.database.db.query(
        `select d.pages_discovered = (select count(*) from urls u where u.domain_id = d.id) as is_right,
                (select count(*)::int from urls u where u.domain_id = d.id) as urls
           from domains d order by d.domain`,
      )
    ).rows;

  test('of one domain: what was never read goes, counters are right, others keep theirs', async () => {
    await plant();
    expect(
      (await jobDone(await admin.delete('/api/frontier', { domain: 'd2.example' }))).result,
    ).toMatchObject({
      ...{ domains: 1, removed: 28, kept: 0 },
    });
    expect(await discovered()).toEqual([
      { is_right: true, urls: 40 },
      { is_right: true, urls: 12 },
      { is_right: true, urls: 40 },
    ]);
    expect(await actions()).toContain('frontier.clear');
  });

  test('shows of the job what was asked for, and nothing of the inside', async () => {
    await plant();
    const asked = await admin.delete('/api/frontier', { domain: 'd2.example', state: 'due' });
    expect(asked.body).toMatchObject({ params: { domain: 'd2.example', state: 'due' } });
    const job = await user.get(asked.headers.get('location') ?? '');
    const listed = await user.get('/api/jobs', { limit: 1 });
    for (const { text } of [asked, job, listed]) expect(text).not.toMatch(/restMs|domainId|"before"/);
    const all = await admin.delete('/api/frontier', { confirm: 'all' });
    expect((all.body as { params: unknown }).params).toEqual({ state: 'all' });
    for (const one of [asked, all]) await jobDone(one);
  });

  test.each([
    ['due', 24, 4],
    ['waiting', 4, 24],
  ])('only %s ones, when only those are meant', async (state, removed, left) => {
    await plant();
    const job = await jobDone(await admin.delete('/api/frontier', { domain: 'd1.example', state }));
    expect(job.result).toMatchObject({ removed });
    const { rows } = await server.database.db.query<{ count: number }>(
      `select count(*)::int as count from urls u join domains d on d.id = u.domain_id
        where d.domain = 'd1.example' and u.state = 'never_crawled'`,
    );
    expect(rows[0]?.count).toBe(left);
  });

  test('all domains only if that is said', async () => {
    await plant();
    expect((await admin.delete('/api/frontier')).problem).toMatchObject({
      status: 400,
      code: 'not-confirmed',
    });
    expect((await admin.delete('/api/frontier', { confirm: 'yes' })).problem?.code).toBe('invalid');
    const job = await jobDone(await admin.delete('/api/frontier', { confirm: 'all' }));
    expect(job.result).toMatchObject({ domains: 3, removed: 84 });
    expect(await discovered()).toEqual(Array(3).fill({ is_right: true, urls: 12 }));
  });

  test('is for whoever may manage, and of known domains', async () => {
    const crawler = await server.as('admin', ['read', 'crawl']);
    expect((await crawler.delete('/api/frontier', { confirm: 'all' })).problem?.status).toBe(403);
    expect((await user.delete('/api/frontier', { confirm: 'all' })).problem?.status).toBe(403);
    expect((await admin.delete('/api/frontier', { domain: 'x.example' })).problem?.code).toBe(
      'unknown-domain',
    );
  });
});
