/** What must not happen to proxies without a word: domains that go out directly, passwords that go elsewhere. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
let shopId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from proxies');
  await server.database.execute('delete from domains');
  shopId = await addDomain('shop.example');
});

const ALL = '/api/admin/proxies';
const POOL = '/api/admin/domains/shop.example/proxies';
const place = (id: number): string => `${ALL}/${id}`;

async function add(more: object = {}): Promise<number> {
  const { status, body, text } = await admin.post(ALL, { host: 'p.example', port: 8080, ...more });
  expect(status, text).toBe(201);
  return (body as { id: number }).id;
}

async function addDomain(domain: string): Promise<number> {
  const { rows } = await server.database.execute<{ id: number }>(
    "insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1) returning id",
    [domain],
  );
  return rows[0]?.id ?? 0;
}

/** A shared proxy that the domain has used. */
const meet = (domainId: number, proxyId: number) =>
  server.database.execute(
    'insert into domain_proxies (domain_id, proxy_id, is_assigned) values ($1, $2, false)',
    [domainId, proxyId],
  );

describe('the last shared proxy', () => {
  test('is not removed without a word where domains have gone through shared ones', async () => {
    const id = await add();
    await meet(shopId, id);
    const { problem } = await admin.delete(place(id));
    expect(problem).toMatchObject({ status: 400, code: 'not-confirmed' });
    expect(problem?.detail).toContain('the last shared proxy');
    expect(problem?.detail).toContain('shop.example');
    expect(problem?.hint).toContain('PATCH /api/admin/domains/shop.example with proxyMode required');
    expect(problem?.hint).toContain('confirm=true');
    expect(problem?.hint).not.toContain('--yes');
    expect((await admin.delete(place(id), { confirm: true })).status).toBe(204);
  });

  test('is not made anything else without a word, by a change or by an import', async () => {
    const id = await add();
    await meet(shopId, id);
    expect((await admin.patch(place(id), { isShared: false })).problem?.code).toBe('not-confirmed');
    const update = { lines: ['p.example:8080'], onDuplicate: 'update', isShared: false };
    expect((await admin.post(`${ALL}/import`, update)).problem?.code).toBe('not-confirmed');
    expect((await admin.get(place(id))).body).toMatchObject({ isShared: true });
    // What else is changed asks for nothing, and neither does switching it off: then they wait.
    expect((await admin.patch(place(id), { city: 'Ulm', isShared: true })).status).toBe(200);
    expect((await admin.post(`${place(id)}/disable`)).status).toBe(200);
    const meant = await admin.patch(`${place(id)}?confirm=true`, { isShared: false });
    expect(meant.body).toMatchObject({ isShared: false });
    await admin.patch(place(id), { isShared: true });
    expect((await admin.post(`${ALL}/import`, { ...update, confirm: true })).body).toMatchObject({
      updated: 1,
    });
  });

  test.each([
    ['there is another one', async () => void (await add({ port: 2 }))],
    ['there is another one, switched off', async () => void (await add({ port: 2, isActive: false }))],
    [
      'the domain insists on one',
      () => server.database.execute("update domains set proxy_mode = 'required'"),
    ],
    ['the domain needs none', () => server.database.execute("update domains set proxy_mode = 'direct'")],
    ['the domain has a country', () => server.database.execute("update domains set proxy_country = 'DE'")],
    [
      'the domain has its own',
      async () => void (await admin.post(POOL, { proxyId: await add({ port: 2, isShared: false }) })),
    ],
  ])('goes at once where %s', async (_, arrange) => {
    const id = await add();
    await meet(shopId, id);
    await arrange();
    expect((await admin.delete(place(id))).status).toBe(204);
  });

  test('is asked about, also when the last two are removed at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = [await add({ port: 1 }), await add({ port: 2 })];
      for (const id of ids) await meet(shopId, id);
      const answers = await Promise.all(ids.map((id) => admin.delete(place(id))));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
      await server.database.execute('delete from proxies');
    }
  });
});

describe('a sealed password', () => {
  test.each([{ host: 'evil.example' }, { port: 81 }, { protocol: 'socks5' }, { username: 'otto' }])(
    'does not follow its proxy to %j',
    async (change) => {
      const id = await add({ username: 'anna', password: 'geheim' });
      const { problem } = await admin.patch(place(id), change);
      expect(problem).toMatchObject({ status: 400, code: 'bad-proxy' });
      expect(problem?.detail).toContain('password');
      expect((await admin.get(place(id))).body).toMatchObject({ host: 'p.example', port: 8080 });
      const without = await admin.patch(place(id), { ...change, password: null });
      expect(without.body).toMatchObject({ ...change, hasPassword: false });
      const again = await admin.patch(place(id), {
        ...{ host: 'p.example', port: 8080, protocol: 'http', username: 'anna', password: 'neu' },
      });
      expect(again.body).toMatchObject({ host: 'p.example', hasPassword: true });
    },
  );

  test('stays where the same place is named again', async () => {
    const id = await add({ username: 'anna', password: 'geheim' });
    const same = { protocol: 'http', host: 'P.example', port: 8080, username: 'anna', city: 'Ulm' };
    expect((await admin.patch(place(id), same)).body).toMatchObject({ hasPassword: true, city: 'Ulm' });
  });

  test('is asked for only where there is one', async () => {
    const id = await add({ username: 'anna' });
    expect((await admin.patch(place(id), { host: 'q.example' })).body).toMatchObject({ host: 'q.example' });
  });
});

describe('what cannot be a proxy', () => {
  test.each(['fe80::1%eth0', '[fe80::1%eth0]', 'fe80::1%25eth0'])('%s is refused as a host', async (host) => {
    expect((await admin.post(ALL, { host, port: 80 })).problem).toMatchObject({
      ...{ status: 400, code: 'bad-proxy' },
    });
  });

  test('costs an import one line and no more', async () => {
    const lines = ['http://[fe80::1%eth0]:80', 'http://u:geheim@[fe80::1%25x]:80', 'a.example:80'];
    const { status, body, text } = await admin.post(`${ALL}/import`, { lines });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ added: 1, refused: 2, results: [{ line: 1 }, { line: 2 }, { line: 3 }] });
    expect(text).not.toContain('geheim');
  });
});

test('a pair that comes back into a pool has a clean record', async () => {
  const id = await add();
  await admin.post(POOL, { proxyIds: [id, await add({ port: 2 })] });
  await server.database.execute('update domain_proxies set failure_count = 5, outages_count = 2');
  await admin.patch(`${POOL}/${id}`, { isActive: false });
  await admin.delete(`${POOL}/${id}`);
  await admin.post(POOL, { proxyId: id });
  const { rows } = await server.database.db.query(
    'select is_active, failure_count, outages_count from domain_proxies where proxy_id = $1',
    [id],
  );
  expect(rows).toEqual([{ is_active: true, failure_count: 0, outages_count: 0 }]);
});

test('a private address is refused with the setting that allows it', async () => {
  expect((await admin.post(ALL, { host: '10.1.2.3', port: 80 })).problem?.hint).toContain(
    'FORAGER_PRIVATE_PROXIES',
  );
});

describe('the health of a domain without a pool', () => {
  const health = async (): Promise<unknown> =>
    ((await admin.get(`${ALL}/health`)).body as { items: unknown[] }).items;

  test('counts the shared proxies that it may use, met or not', async () => {
    const [a, b] = [await add({ port: 1, countryCode: 'DE' }), await add({ port: 2, countryCode: 'US' })];
    const gone = await add({ port: 3 });
    await add({ port: 4, isShared: false, countryCode: 'DE' });
    await add({ port: 5, isActive: false, countryCode: 'DE' });
    for (const id of [a, b, gone]) await meet(shopId, id);
    await admin.patch(place(gone), { isShared: false });
    expect(await health()).toMatchObject([{ totalProxies: 3, activeProxies: 2, hasOwnPool: false }]);
    await server.database.execute(
      "update domain_proxies set is_active = false, disabled_by = 'failures', success_count = 1 where proxy_id = $1",
      [b],
    );
    expect(await health()).toMatchObject([
      { totalProxies: 3, activeProxies: 1, failingProxies: 1, successCount: 1 },
    ]);
    await server.database.execute("update domains set proxy_country = 'DE'");
    expect(await health()).toMatchObject([
      { totalProxies: 2, activeProxies: 1, failingProxies: 0, successCount: 0 },
    ]);
    await server.database.execute("update domains set proxy_mode = 'direct'");
    expect(await health()).toMatchObject([{ totalProxies: 0, activeProxies: 0, failingProxies: 0 }]);
  });

  test('and of one with a pool that pool, in its country', async () => {
    const ids = [await add({ port: 1, countryCode: 'DE' }), await add({ port: 2 })];
    await admin.post(POOL, { proxyIds: ids });
    expect(await health()).toMatchObject([{ totalProxies: 2, activeProxies: 2, hasOwnPool: true }]);
    await server.database.execute("update domains set proxy_country = 'DE'");
    expect(await health()).toMatchObject([{ totalProxies: 1, activeProxies: 1 }]);
  });
});
