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
  await server.database.execute('delete from domains');
  await server.database.execute('delete from urls');
  await server.database.execute('delete from pages');
  await server.database.execute('delete from crawl_log');
});

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}
const bodyOf = <T>(answer: ApiAnswer): T => answer.body as T;
const namesOf = (answer: ApiAnswer): unknown[] => bodyOf<Page>(answer).items.map(({ domain }) => domain);

async function plant(count: number): Promise<void> {
  await server.database.execute(
    `insert into domains (domain, parent_domain, base_url, pages_crawled, pages_discovered, total_error_count,
                          priority_score, last_crawled_at, status)
     select format('d%s.example', lpad(n::text, 3, '0')), format('d%s.example', lpad(n::text, 3, '0')),
            format('https://d%s.example', n), n % 3, n, n % 5, n % 2,
            case when n % 4 > 0 then timestamptz '2026-01-01' + (n % 6) * interval '1 day' end,
            (case when n % 7 = 0 then 'blocked' else 'pending' end)::domain_status
       from generate_series(1, $1) n`,
    [count],
  );
}

/** Goes through all pages; every request is answered within the list's own order. */
async function walk(query: Record<string, string | number>): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = bodyOf(
      await user.get('/api/domains', { ...query, ...(cursor === null ? {} : { cursor }) }),
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

async function acts(): Promise<
  { action: string; target: string | null; actor: string; address: string | null }[]
> {
  const { rows } = await server.database.db.query<{
    action: string;
    target: string | null;
    actor: string;
    address: string | null;
  }>('select action, target, actor, address from audit_log order by id');
  return rows;
}

describe('GET /api/domains', () => {
  test('an empty database has an empty list', async () => {
    const { status, body } = await user.get('/api/domains');
    expect(status).toBe(200);
    expect(body).toEqual({ items: [], nextCursor: null });
  });

  test('anonymous is asked to log in, a bot is not permitted', async () => {
    expect((await server.client().get('/api/domains')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/domains')).problem?.code).toBe('not-permitted');
  });

  test('a field, a sort or a limit it does not know is refused', async () => {
    for (const query of [
      { nonsense: 1 },
      { sort: 'version' },
      { sort: 'domain; drop table urls' },
      { limit: 0 },
    ]) {
      const { problem } = await user.get('/api/domains', query as unknown as Record<string, string>);
      expect(problem).toMatchObject({ status: 400, code: 'invalid' });
    }
  });

  test.each(['domain', 'priority', 'pagesCrawled', 'pagesDiscovered', 'errors', 'lastCrawled', 'nextCrawl'])(
    'by %s every domain comes exactly once, up and down, ties and missing values included',
    async (sort) => {
      await plant(50);
      const up = await walk({ sort, order: 'asc', limit: 7 });
      const down = await walk({ sort, order: 'desc', limit: 7 });
      expect(new Set(up.map(({ domain }) => domain)).size).toBe(50);
      expect(up).toHaveLength(50);
      expect(new Set(down.map(({ domain }) => domain)).size).toBe(50);
      expect(down).toHaveLength(50);
    },
  );

  test('by the last visit the times rise, and domains without one come last in either order', async () => {
    await plant(50);
    for (const order of ['asc', 'desc']) {
      const items = await walk({ sort: 'lastCrawled', order, limit: 9 });
      const times = items.map(({ lastCrawledAt }) => lastCrawledAt as string | null);
      const given = times.filter((time) => time !== null);
      expect(given).toHaveLength(38);
      expect(times.slice(0, 38)).toEqual(order === 'asc' ? given.toSorted() : given.toSorted().reverse());
    }
  });

  test('a cursor of another order, or of nobody, is refused', async () => {
    await plant(5);
    const { nextCursor } = bodyOf<Page>(await user.get('/api/domains', { limit: 2 }));
    for (const cursor of [
      nextCursor ?? '',
      'AAAA',
      Buffer.from('["domains:errors:asc","9e9",1]').toString('base64url'),
    ]) {
      const { problem } = await user.get('/api/domains', { sort: 'errors', cursor });
      expect(problem).toMatchObject({ status: 400, code: 'bad-cursor' });
    }
    const huge = Buffer.from('["domains:errors:asc","9999999999999999999",1]').toString('base64url');
    expect((await user.get('/api/domains', { sort: 'errors', cursor: huge })).problem?.code).toBe(
      'bad-cursor',
    );
  });

  test('filters hold together: state, part of the name, parent, errors, holder, switch', async () => {
    await plant(14);
    await server.database.execute(
      "update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 h' where domain = 'd003.example'",
    );
    await server.database.execute("update domains set is_active = false where domain = 'd004.example'");
    await server.database.execute(
      "update domains set parent_domain = 'other.example' where domain = 'd005.example'",
    );
    expect(namesOf(await user.get('/api/domains', { status: 'blocked' }))).toEqual([
      'd007.example',
      'd014.example',
    ]);
    expect(namesOf(await user.get('/api/domains', { search: '00', status: 'blocked' }))).toEqual([
      'd007.example',
    ]);
    expect(namesOf(await user.get('/api/domains', { isClaimed: true }))).toEqual(['d003.example']);
    expect(namesOf(await user.get('/api/domains', { isActive: false }))).toEqual(['d004.example']);
    expect(namesOf(await user.get('/api/domains', { parentDomain: 'WWW.other.example' }))).toEqual([
      'd005.example',
    ]);
    expect(namesOf(await user.get('/api/domains', { minErrors: 4 }))).toEqual([
      'd004.example',
      'd009.example',
      'd014.example',
    ]);
  });

  test('what looks like a pattern or like SQL is searched for as it is written', async () => {
    await plant(3);
    for (const search of ['%', '_', "' or 1=1 --", '<b>']) {
      expect(namesOf(await user.get('/api/domains', { search }))).toEqual([]);
    }
  });
});

describe('GET /api/domains/:domain', () => {
  test('finds it in any spelling and tells everything', async () => {
    await plant(1);
    for (const name of ['d001.example', 'WWW.D001.Example', encodeURIComponent('https://d001.example/x?y')]) {
      const { status, body } = await user.get(`/api/domains/${name}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ domain: 'd001.example', urls: {}, events: [], score: { rankPoints: 0 } });
    }
  });

  test('one that is not known is 404 with names that may have been meant; what is no name is 400', async () => {
    await plant(1);
    const { problem } = await user.get('/api/domains/d002.example');
    expect(problem).toMatchObject({ status: 404, code: 'unknown-domain' });
    expect(problem?.hint).toBe('did you mean d001.example? GET /api/domains lists all domains');
    expect((await user.get('/api/domains/a@b')).problem?.code).toBe('bad-domain');
  });
});

describe('GET /api/domains/:domain/robots', () => {
  beforeEach(async () => {
    await plant(1);
    await server.database.execute(
      `insert into domain_robots (domain_id, origin, access, http_status, body, expires_at)
       select id, 'https://d001.example', 'parse', 200, $1, now() + interval '1 h' from domains`,
      [
        Buffer.from(
          'User-agent: *\nDisallow: /private\nCrawl-delay: 3\nSitemap: https://d001.example/map.xml\n',
        ),
      ],
    );
  });

  test('shows what is stored: body, delay and sitemaps', async () => {
    const { body } = await user.get('/api/domains/d001.example/robots');
    expect(body).toMatchObject({
      origins: [
        {
          ...{ origin: 'https://d001.example', access: 'parse', crawlDelaySeconds: 3, isFresh: true },
          ...{ sitemaps: ['https://d001.example/map.xml'], isBodyCut: false },
          body: expect.stringContaining('Disallow: /private'),
        },
      ],
      verdict: null,
    });
  });

  test('says whether a URL may be fetched and by which line, and of an origin it has not read that it is undecided', async () => {
    const ask = (url: string) => user.get('/api/domains/d001.example/robots', { url, agent: 'FooBot/1.0' });
    expect((await ask('https://d001.example/private/x')).body).toMatchObject({
      verdict: {
        verdict: 'disallowed',
        rule: 'Disallow: /private',
        line: 2,
        group: 'global',
        agent: 'foobot',
      },
    });
    expect((await ask('https://d001.example/open')).body).toMatchObject({ verdict: { verdict: 'allowed' } });
    expect((await ask('http://d001.example/open')).body).toMatchObject({ verdict: { verdict: 'undecided' } });
  });

  test('a URL of another domain, or none at all, is refused', async () => {
    for (const url of ['https://other.example/', 'ftp://d001.example/', 'nonsense']) {
      const { problem } = await user.get('/api/domains/d001.example/robots', { url });
      expect(problem).toMatchObject({ status: 400, code: 'bad-url' });
    }
  });
});

describe('GET /api/domains/:domain/events', () => {
  test('moves come newest first, page by page', async () => {
    await plant(1);
    for (const [status, code] of [
      ['active', 'claimed'],
      ['exhausted', 'all_done'],
      ['pending', 'refresh_due'],
    ]) {
      await server.database.execute(`update domains set status = $1::domain_status, status_code = $2`, [
        status,
        code,
      ]);
    }
    const first = bodyOf<Page>(await user.get('/api/domains/d001.example/events', { limit: 2 }));
    expect(first.items.map(({ code }) => code)).toEqual(['refresh_due', 'all_done']);
    const cursor = first.nextCursor ?? '';
    const second = bodyOf<Page>(await user.get('/api/domains/d001.example/events', { limit: 2, cursor }));
    expect(second).toMatchObject({
      items: [{ code: 'claimed', from: 'pending', to: 'active' }],
      nextCursor: null,
    });
  });
});

describe('POST /api/admin/domains', () => {
  test('makes it known with its settings and its first page due, and says where it is', async () => {
    const answer = await admin.post('/api/admin/domains', {
      ...{ domain: 'https://WWW.New.example/start', crawlDelayMs: 2500, scope: 'domain', maxDepth: 3 },
      ...{ include: ['^https://new\\.example/[^/]+/$'], userAgent: 'Polite/1.0', crawlFrequencyHours: 6 },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/api/domains/new.example');
    expect(answer.body).toMatchObject({
      ...{ domain: 'new.example', crawlDelayMs: 2500, scope: 'domain', maxDepth: 3, userAgent: 'Polite/1.0' },
      ...{
        include: ['^https://new\\.example/[^/]+/$'],
        pagesDiscovered: 1,
        crawlFrequencyHours: 6,
        isActive: true,
      },
    });
    const { rows } = await server.database.db.query('select url, is_seed, priority from urls');
    expect(rows).toEqual([{ url: 'https://www.new.example/start', is_seed: true, priority: 3 }]);
    expect(await acts()).toContainEqual(
      expect.objectContaining({ action: 'domain.create', target: 'new.example', address: '127.0.0.1' }),
    );
  });

  test('one that is known already is a conflict and stays as it is', async () => {
    await plant(1);
    const { problem } = await admin.post('/api/admin/domains', { domain: 'd001.example', crawlDelayMs: 1 });
    expect(problem).toMatchObject({ status: 409, code: 'domain-exists' });
    const { rows } = await server.database.db.query('select crawl_delay_ms from domains');
    expect(rows).toEqual([{ crawl_delay_ms: null }]);
  });

  test('is for whoever may manage', async () => {
    expect((await user.post('/api/admin/domains', { domain: 'x.example' })).problem?.status).toBe(403);
    expect((await server.client().post('/api/admin/domains', { domain: 'x.example' })).problem?.status).toBe(
      401,
    );
  });

  test.each([
    ['a header hidden in the user agent', { userAgent: 'a\r\nX-Evil: 1' }, 'invalid'],
    ['a user agent that is not ASCII', { userAgent: 'Förager' }, 'invalid'],
    ['a delay below nothing', { crawlDelayMs: -1 }, 'invalid'],
    ['a field that is not there', { isAdmin: true }, 'invalid'],
    ['a way through proxies that is not one', { proxyMode: 'sometimes' }, 'invalid'],
    ['a country that is no code', { proxyCountry: 'Germany' }, 'invalid'],
    ['no request in an hour', { proxyRequestsPerHour: 0 }, 'invalid'],
    ['a pattern that does not compile', { include: ['('] }, 'bad-pattern'],
    ['a parser that there is not', { parserName: 'amazone' }, 'bad-parser'],
    ['a pattern that could take for ever', { exclude: ['(a+)+$'] }, 'bad-pattern'],
  ])('refuses %s', async (_what, settings, code) => {
    const { problem } = await admin.post('/api/admin/domains', { domain: 'x.example', ...settings });
    expect(problem).toMatchObject({ status: 400, code });
    expect((await server.database.db.query('select from domains')).rowCount).toBe(0);
  });
});

describe('PATCH /api/admin/domains/:domain', () => {
  test('changes what is named, leaves the rest, and null brings the default back', async () => {
    await plant(1);
    const path = '/api/admin/domains/d001.example';
    await admin.patch(path, {
      crawlDelayMs: 5000,
      exclude: ['/private/'],
      maxPagesPerRun: 9,
      parserName: 'amazon',
    });
    const { status, body } = await admin.patch(path, { crawlDelayMs: null, maxConcurrentRequests: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ crawlDelayMs: null, maxConcurrentRequests: 2, exclude: ['/private/'] },
      ...{ maxPagesPerRun: 9, parserName: 'amazon' },
    });
    expect((await admin.patch(path, { exclude: [], parserName: null })).body).toMatchObject({
      exclude: null,
      parserName: 'generic',
    });
    expect((await acts()).filter(({ action }) => action === 'domain.settings')).toHaveLength(3);
  });

  test('decides how it goes through proxies, and wakes what waits for one', async () => {
    await plant(2);
    await server.database.execute(
      `update domains set next_crawl_after = now() + interval '1 h', block_reason = 'x',
              block_reason_code = case domain when 'd001.example' then 'no_proxy' else 'throttled' end`,
    );
    const given = {
      proxyMode: 'required',
      proxyCountry: 'se',
      proxyRotation: 'sticky',
      proxyRequestsPerHour: 60,
    };
    const resting = async () =>
      (
        await server.database.db.query(
          'select domain from domains where next_crawl_after is not null order by 1',
        )
      ).rows;
    await admin.patch('/api/admin/domains/d001.example', { crawlDelayMs: 1 });
    expect(await resting()).toEqual([{ domain: 'd001.example' }, { domain: 'd002.example' }]);
    for (const domain of ['d001.example', 'd002.example']) {
      const { status, body } = await admin.patch(`/api/admin/domains/${domain}`, given);
      expect(status).toBe(200);
      expect(body).toMatchObject({ ...given, proxyCountry: 'SE' });
    }
    expect(await resting()).toEqual([{ domain: 'd002.example' }]);
    expect((await user.get('/api/domains/d001.example')).body).toMatchObject({
      ...{ ...given, proxyCountry: 'SE', reasonCode: null, nextCrawlAfter: null },
    });
    const nothing = { proxyMode: null, proxyCountry: null, proxyRotation: null, proxyRequestsPerHour: null };
    expect((await admin.patch('/api/admin/domains/d001.example', nothing)).body).toMatchObject({
      ...{ proxyMode: 'auto', proxyCountry: null, proxyRotation: 'request', proxyRequestsPerHour: null },
    });
  });

  test('says of an unknown domain that it is unknown, of a wrong type what is wrong', async () => {
    expect((await admin.patch('/api/admin/domains/x.example', {})).problem?.code).toBe('unknown-domain');
    const { problem } = await admin.patch('/api/admin/domains/x.example', { maxDepth: 'deep' });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: 'body.maxDepth' }] });
    expect((await user.patch('/api/admin/domains/x.example', {})).problem?.status).toBe(403);
  });
});

describe('switching a domain off and on', () => {
  test('takes it away from its worker, lets it rest, and does the same twice', async () => {
    await plant(1);
    await server.database.execute(
      "update domains set claimed_by = 'w1', claim_expires_at = now() + interval '1 h', version = 7",
    );
    const off = await admin.post('/api/admin/domains/d001.example/deactivate');
    expect(off.body).toMatchObject({ isActive: false, wasActive: true, fencedWorker: 'w1' });
    const { restsUntil } = bodyOf<{ restsUntil: unknown }>(off);
    expect(restsUntil).toEqual(expect.any(String));
    expect((await admin.post('/api/admin/domains/d001.example/deactivate')).body).toMatchObject({
      ...{ isActive: false, wasActive: false, fencedWorker: null, restsUntil },
    });
    const { rows } = await server.database.db.query('select claimed_by, version, is_active from domains');
    expect(rows).toEqual([{ claimed_by: null, version: 8, is_active: false }]);
    for (const wasActive of [false, true]) {
      const on = await admin.post('/api/admin/domains/d001.example/activate');
      expect(on.body).toMatchObject({ isActive: true, wasActive, restsUntil });
    }
    await server.database.execute("update domains set next_crawl_after = now() - interval '1 s'");
    const rested = await admin.post('/api/admin/domains/d001.example/activate');
    expect(rested.body).toMatchObject({ restsUntil: null });
  });

  test('is for whoever may manage, and of known domains', async () => {
    for (const verb of ['activate', 'deactivate']) {
      expect((await user.post(`/api/admin/domains/x.example/${verb}`)).problem?.status).toBe(403);
      expect((await admin.post(`/api/admin/domains/x.example/${verb}`)).problem?.code).toBe('unknown-domain');
    }
  });
});

describe('POST /api/admin/domains/:domain/reset', () => {
  test('makes it pending again, with or without a body, and records who did it', async () => {
    await plant(7);
    const { body } = await admin.post('/api/admin/domains/d007.example/reset', { reason: 'we talked' });
    expect(body).toMatchObject({ from: 'blocked', to: 'pending', actor: expect.stringContaining('user:') });
    expect((await admin.post('/api/admin/domains/d007.example/reset')).body).toMatchObject({
      from: 'pending',
    });
    const events = bodyOf<Page>(await user.get('/api/domains/d007.example/events'));
    const meaning = 'reset by a person';
    expect(events.items).toMatchObject([
      { from: 'pending', code: 'reset', meaning },
      { from: 'blocked', code: 'reset', meaning, reason: 'we talked' },
    ]);
    const report = await user.get('/api/domains/d007.example');
    expect(bodyOf<{ events: unknown[] }>(report).events).toMatchObject([{ meaning }, { meaning }]);
    expect((await acts()).filter(({ action }) => action === 'domain.reset')).toHaveLength(2);
  });

  test('is for whoever may manage, and of known domains', async () => {
    expect((await user.post('/api/admin/domains/x.example/reset')).problem?.status).toBe(403);
    expect((await admin.post('/api/admin/domains/x.example/reset')).problem?.code).toBe('unknown-domain');
  });
});

describe('DELETE /api/admin/domains/:domain', () => {
  test('switches it off at once and removes all of it in a job, and nothing of any other', async () => {
    await plant(2);
    await server.database.execute(
      `insert into urls (domain_id, url_hash, url, depth, priority)
       select d.id, sha256(n::text::bytea), 'https://x/' || n, 0, 2 from domains d, generate_series(1, 3000) n`,
    );
    await server.database.execute(
      `insert into crawl_log (domain_id, url_hash, url, outcome, duration_ms, worker_id)
       select domain_id, url_hash, url, 'page', 1, 'w' from urls where url < 'https://x/2'`,
    );
    await server.database.execute(
      `insert into domain_sitemaps (domain_id, url) select id, 'https://x/map' from domains`,
    );
    const answer = await admin.delete('/api/admin/domains/d001.example');
    expect(answer.status).toBe(202);
    const { id } = bodyOf<{ id: number }>(answer);
    expect(answer.headers.get('location')).toBe(`/api/jobs/${id}`);
    const job = await waitUntil(async () => {
      const { body } = await admin.get(`/api/jobs/${id}`);
      return bodyOf<{ state: string }>({ body } as ApiAnswer).state === 'done' ? body : undefined;
    });
    expect(job).toMatchObject({ result: { domain: 'd001.example', urls: 3000 } });
    expect((await user.get('/api/domains/d001.example')).status).toBe(404);
    for (const table of ['urls', 'crawl_log', 'domain_sitemaps']) {
      const { rows } = await server.database.db.query<{ names: (string | null)[] }>(
        `select array_agg(distinct d.domain) as names from ${table} t left join domains d on d.id = t.domain_id`,
      );
      expect(rows[0]?.names).toEqual(['d002.example']);
    }
  });

  test('is for whoever may manage, and of known domains', async () => {
    expect((await user.delete('/api/admin/domains/x.example')).problem?.status).toBe(403);
    expect((await admin.delete('/api/admin/domains/x.example')).problem?.code).toBe('unknown-domain');
  });
});
