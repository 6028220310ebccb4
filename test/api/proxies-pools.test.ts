/** Which proxies a domain uses, and what it has seen of them, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
let domainId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from proxies');
  await server.database.execute('delete from domains');
  await server.database.execute('delete from crawl_log');
  domainId = await addDomain('shop.example');
});

const POOL = '/api/admin/domains/shop.example/proxies';

async function addDomain(domain: string): Promise<number> {
  const { rows } = await server.database.execute<{ id: number }>(
    "insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1) returning id",
    [domain],
  );
  return rows[0]?.id ?? 0;
}

async function addProxies(count: number, more: object = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 1; n <= count; n += 1) {
    const { body } = await admin.post('/api/admin/proxies', { host: `p${n}.example`, port: 8080, ...more });
    ids.push((body as { id: number }).id);
  }
  return ids;
}

interface Pair {
  readonly proxyId: number;
  readonly priority: number;
}

async function readPool(query: Record<string, string | number | boolean> = {}): Promise<Pair[]> {
  const { status, body, text } = await admin.get(POOL, query);
  expect(status, text).toBe(200);
  return (body as { items: Pair[] }).items;
}

async function letWait(): Promise<void> {
  await server.database.execute(
    `update domains set block_reason_code = 'no_proxy', block_reason = 'No proxy is left.', status = 'active',
            status_code = 'claimed', next_crawl_after = now() + interval '2 hours' where id = $1`,
    [domainId],
  );
}

async function isWaiting(): Promise<boolean> {
  const { rows } = await server.database.db.query<{ waits: boolean }>(
    "select block_reason_code is not distinct from 'no_proxy' as waits from domains where id = $1",
    [domainId],
  );
  return rows[0]?.waits === true;
}

async function acts(): Promise<string[]> {
  const { rows } = await server.database.db.query<{ action: string }>(
    'select action from audit_log order by id',
  );
  return rows.map(({ action }) => action);
}

describe('a pool', () => {
  test('is assigned, listed by priority page by page, and told with its statistics', async () => {
    const [a = 0, b = 0, c = 0] = await addProxies(3);
    expect((await admin.post(POOL, { proxyIds: [a, b, a] })).body).toEqual({
      ...{ domain: 'shop.example', assigned: 2, changed: 0 },
    });
    expect((await admin.post(POOL, { proxy_id: c, priority: 1, max_requests_per_hour: 20 })).status).toBe(
      200,
    );
    await server.database.execute(
      `update domain_proxies set success_count = 98, failures_total = 2, avg_response_time_ms = 450, last_used_at = now()
        where proxy_id = $1`,
      [c],
    );
    await server.database.execute(
      `insert into proxy_usage (proxy_id, domain_id, minute, granted_count, requests_count)
       values ($1, $2, date_trunc('minute', now()), 9, 5), ($1, $2, now() - interval '2 hours', 7, 7)`,
      [c, domainId],
    );
    const [first, ...rest] = await readPool({ limit: 1 });
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      ...{
        proxyId: c,
        proxy: 'http://p3.example:8080',
        isAssigned: true,
        priority: 1,
        maxRequestsPerHour: 20,
      },
      ...{ effectiveMaxRequestsPerHour: 20, successRate: 0.98, avgResponseTimeMs: 450, requestsLastHour: 5 },
      ...{ grantedLastHour: 9, whyOut: null },
    });
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await admin.get(POOL, { limit: 1, ...(cursor === '' ? {} : { cursor }) });
      const page = body as { items: Pair[]; nextCursor: string | null };
      seen.push(...page.items.map(({ proxyId }) => proxyId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([c, a, b]);
    expect(await acts()).toContain('proxy.assign');
  });

  test('assigns all or none, and what is there already is changed', async () => {
    const [a = 0, b = 0] = await addProxies(2);
    const refused = await admin.post(POOL, { proxyIds: [a, 99_999] });
    expect(refused.problem).toMatchObject({ status: 404, code: 'unknown-proxy' });
    expect(refused.problem?.detail).toContain('99999');
    expect(await readPool()).toEqual([]);
    await admin.post(POOL, { proxyIds: [a], priority: 3, maxRequestsPerHour: 9 });
    expect((await admin.post(POOL, { proxyIds: [a, b] })).body).toMatchObject({ assigned: 1, changed: 1 });
    expect((await readPool())[0]).toMatchObject({ proxyId: a, priority: 3, maxRequestsPerHour: 9 });
    expect((await admin.post(POOL, { proxyIds: [] })).problem?.code).toBe('invalid');
    expect((await admin.post(POOL, { proxyId: a, proxyIds: [a] })).problem?.code).toBe('invalid');
    expect((await admin.post(POOL, { proxyId: a, priority: 11 })).problem?.code).toBe('invalid');
    const elsewhere = await admin.post('/api/admin/domains/nowhere.example/proxies', { proxyId: a });
    expect(elsewhere.problem?.code).toBe('unknown-domain');
  });

  test('says why one of it is out, and when it is tried again', async () => {
    const [a = 0, b = 0, c = 0] = await addProxies(3);
    await admin.post(POOL, { proxyIds: [a, b, c] });
    await admin.post(`/api/admin/proxies/${b}/disable`);
    await server.database.execute(
      `update domain_proxies set is_active = false, disabled_by = 'failures', failure_count = 5,
              retry_at = '2030-01-02T03:04:00Z' where proxy_id = $1`,
      [a],
    );
    await server.database.execute("update domains set proxy_country = 'DE'");
    const [first, second, third] = (await readPool()) as unknown as { whyOut: string }[];
    expect(first?.whyOut).toContain(
      'For this domain it is out for its failures, and tried again from 2030-01-02 03:04 UTC',
    );
    expect(second?.whyOut).toMatch(/^The proxy itself is switched off by user:admin/);
    expect(third?.whyOut).toBe('It is not in the country that the domain is crawled from.');
  });

  test('is changed pair by pair', async () => {
    const [a = 0] = await addProxies(1);
    await admin.post(POOL, { proxyId: a });
    const changed = await admin.patch(`${POOL}/${a}`, {
      priority: 2,
      max_requests_per_hour: 30,
      isActive: false,
    });
    expect(changed.body).toMatchObject({ priority: 2, maxRequestsPerHour: 30, isActive: false });
    await server.database.execute('update domain_proxies set failure_count = 4');
    expect(
      (await admin.patch(`${POOL}/${a}`, { isActive: true, maxRequestsPerHour: null })).body,
    ).toMatchObject({
      ...{ isActive: true, failureCount: 0, maxRequestsPerHour: null, disabledBy: null, priority: 2 },
    });
    expect((await admin.patch(`${POOL}/${a}`, {})).problem?.code).toBe('invalid');
    expect((await admin.patch(`${POOL}/99999`, { priority: 1 })).problem).toMatchObject({
      ...{ status: 404, code: 'unknown-pair' },
    });
  });

  test('lets one go with its statistics kept, and the last one only where that is meant', async () => {
    const [a = 0, b = 0] = await addProxies(2);
    await admin.post(POOL, { proxyIds: [a, b] });
    await server.database.execute('update domain_proxies set success_count = 7');
    expect((await admin.delete(`${POOL}/${a}`)).status).toBe(204);
    expect(await readPool({ isAssigned: true })).toMatchObject([{ proxyId: b }]);
    expect(await readPool({ is_assigned: false })).toMatchObject([{ proxyId: a, successCount: 7 }]);
    expect((await admin.delete(`${POOL}/${a}`)).problem?.code).toBe('unknown-pair');
    expect((await admin.delete(`${POOL}/${b}`)).problem?.code).toBe('not-confirmed');
    await server.database.execute("update domains set proxy_mode = 'required'");
    expect((await admin.delete(`${POOL}/${b}`)).status).toBe(204);
    await admin.patch(`${POOL}/${a}`, { isActive: false });
    await admin.post(POOL, { proxyId: a });
    expect(await readPool({ isAssigned: true })).toMatchObject([
      { proxyId: a, isActive: true, successCount: 7 },
    ]);
  });

  test('is reset: failures are forgotten, what somebody switched off stays off', async () => {
    const [a = 0, b = 0, c = 0] = await addProxies(3);
    await admin.post(POOL, { proxyIds: [a, b, c] });
    await admin.patch(`${POOL}/${b}`, { isActive: false });
    const putOut = () =>
      server.database.execute(
        `update domain_proxies set is_active = false, disabled_by = 'failures', failure_count = 5, outages_count = 1,
                retry_at = now() where proxy_id in ($1, $2)`,
        [a, c],
      );
    await putOut();
    await letWait();
    expect((await admin.post(`${POOL}/${a}/reset`)).body).toEqual({
      ...{ domain: 'shop.example', reset: 1, stillOut: 0 },
    });
    expect(await isWaiting()).toBe(false);
    expect((await readPool()).map((pair) => (pair as unknown as { isActive: boolean }).isActive)).toEqual([
      ...[true, false, false],
    ]);
    expect((await admin.post(`${POOL}/reset`)).body).toMatchObject({ reset: 1, stillOut: 1 });
    expect((await readPool())[2]).toMatchObject({
      ...{ proxyId: c, isActive: true, failureCount: 0, outagesCount: 0, retryAt: null, disabledBy: null },
    });
    expect((await admin.post(`${POOL}/99999/reset`)).problem?.code).toBe('unknown-pair');
  });

  test('wakes its domain when one is assigned, or its limit raised, and leaves a worker alone', async () => {
    const [a = 0, b = 0] = await addProxies(2);
    await admin.post(POOL, { proxyId: a });
    await letWait();
    await admin.patch(`${POOL}/${a}`, { isActive: false });
    expect(await isWaiting()).toBe(true);
    await admin.patch(`${POOL}/${a}`, { maxRequestsPerHour: 500 });
    expect(await isWaiting()).toBe(false);
    await letWait();
    await server.database.execute(
      "update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 hour'",
    );
    await admin.post(POOL, { proxyId: b });
    expect(await isWaiting()).toBe(true);
  });
});

describe('the size of a pool', () => {
  const size = async (query: Record<string, number>): Promise<Record<string, unknown>> => {
    const { status, body, text } = await admin.get(`${POOL}/sizing`, query);
    expect(status, text).toBe(200);
    return body as Record<string, unknown>;
  };

  test.each([
    [10, 5, 2, 3],
    [100, 20, 5, 6],
    [1000, 20, 50, 60],
    [1, 20, 1, 2],
    [101, 20, 6, 8],
  ])(
    '%i URLs an hour at %i through one proxy take %i, better %i',
    async (urlsPerHour, limit, required, recommended) => {
      expect(await size({ urlsPerHour, maxRequestsPerProxyPerHour: limit })).toMatchObject({
        ...{ required, recommended, have: 0, active: 0, missing: recommended, urlsPerHourFrom: 'given' },
      });
    },
  );

  test('is measured by what was crawled, and by the limits that are set', async () => {
    const [a = 0, b = 0] = await addProxies(2, { isShared: false });
    await admin.post(POOL, { proxyIds: [a, b], maxRequestsPerHour: 20 });
    await admin.post(`/api/admin/proxies/${b}/disable`);
    await server.database.execute(
      `insert into crawl_log (domain_id, url_hash, url, fetched_at, outcome, duration_ms, worker_id)
       select $1, sha256(n::text::bytea), 'https://shop.example/' || n, now() - interval '10 minutes', 'fetched', 1, 'w'
         from generate_series(1, 100) n`,
      [domainId],
    );
    const sizing = await size({});
    expect(sizing).toMatchObject({
      ...{ urlsPerHour: 100, urlsPerHourFrom: 'last-hour', maxRequestsPerProxyPerHour: 20 },
      ...{ maxRequestsFrom: 'settings', required: 5, recommended: 6, have: 2, active: 1, missing: 5 },
    });
    expect(sizing.advice).toContain('5 more are needed');
  });

  test('is guessed from the pause between requests where nothing was crawled', async () => {
    await server.database.execute('update domains set crawl_delay_ms = 36000');
    expect(await size({})).toMatchObject({
      ...{
        urlsPerHour: 100,
        urlsPerHourFrom: 'delay',
        maxRequestsPerProxyPerHour: 20,
        maxRequestsFrom: 'assumed',
      },
      recommended: 6,
    });
  });
});

describe('the health of all pools', () => {
  test('is told for each domain, page by page', async () => {
    const [a = 0, b = 0] = await addProxies(2);
    const other = await addDomain('other.example');
    await addDomain('none.example');
    await admin.post(POOL, { proxyIds: [a, b] });
    await server.database.execute(
      `update domain_proxies set success_count = 30, failures_total = 10, avg_response_time_ms = 100;
       update domain_proxies set is_active = false, disabled_by = 'failures', failure_count = 5 where proxy_id = ${b};
       insert into domain_proxies (domain_id, proxy_id, is_assigned) values (${other}, ${a}, false);
       insert into proxy_usage (proxy_id, domain_id, minute, requests_count, failures_count)
       values (${a}, ${domainId}, date_trunc('minute', now()), 50, 9)`,
    );
    await letWait();
    const first = await admin.get('/api/admin/proxies/health', { limit: 1 });
    expect(first.body).toMatchObject({
      items: [
        {
          ...{
            domain: 'shop.example',
            hasOwnPool: true,
            totalProxies: 2,
            activeProxies: 1,
            failingProxies: 1,
          },
          ...{ avgResponseTimeMs: 100, successCount: 60, failuresTotal: 20, successRate: 0.75 },
          ...{
            requestsLastHour: 50,
            failuresLastHour: 9,
            isWaiting: true,
            waitingBecause: 'No proxy is left.',
          },
        },
      ],
    });
    const { nextCursor: cursor } = first.body as { nextCursor: string };
    expect((await admin.get('/api/admin/proxies/health', { limit: 1, cursor })).body).toMatchObject({
      items: [{ domain: 'other.example', hasOwnPool: false, totalProxies: 2, isWaiting: false }],
      nextCursor: null,
    });
  });
});
