/** Proxies over HTTP: kept, changed, switched, imported and exported, and never a password told. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBox } from '../../src/control/secrets/open-box.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from proxies');
  await server.database.execute('delete from domains');
});

const ALL = '/api/admin/proxies';
const place = (id: number, rest = ''): string => `${ALL}/${id}${rest}`;

interface Shown {
  readonly id: number;
  readonly host: string;
}

async function add(more: object = {}): Promise<number> {
  const { status, body, text } = await admin.post(ALL, { host: 'p.example', port: 8080, ...more });
  expect(status, text).toBe(201);
  return (body as Shown).id;
}

async function passwordOf(id: number): Promise<string | null> {
  const { rows } = await server.database.db.query<{ password: Buffer | null }>(
    'select proxy_password as password from proxies where id = $1',
    [id],
  );
  const sealed = rows[0]?.password ?? null;
  if (sealed === null) return null;
  return (await openBox(server.database.db, server.parts.config)).open(sealed, 'proxy');
}

async function addDomain(domain: string, more = ''): Promise<number> {
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into domains (domain, parent_domain, base_url ${more === '' ? '' : ', block_reason_code, block_reason, next_crawl_after, status, status_code'})
     values ($1, $1, 'https://' || $1 ${more}) returning id`,
    [domain],
  );
  return rows[0]?.id ?? 0;
}
const WAITING = ", 'no_proxy', 'No proxy is left.', now() + interval '2 hours', 'active', 'claimed'";

async function waits(domain: string): Promise<boolean> {
  const { rows } = await server.database.db.query<{ waits: boolean }>(
    "select block_reason_code is not distinct from 'no_proxy' and next_crawl_after > now() as waits from domains where domain = $1",
    [domain],
  );
  return rows[0]?.waits === true;
}

describe('a proxy', () => {
  test('is kept with its password sealed, which nobody is told', async () => {
    const answer = await admin.post(ALL, {
      ...{ protocol: 'socks5', host: 'Proxy.Example', port: 1080, username: 'anna', password: 'gehe:im@%41' },
      ...{ countryCode: 'de', city: 'Köln', provider: 'Acme', monthlyCost: 4.5, maxRequestsPerHour: 200 },
      isShared: false,
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body as Shown;
    expect(answer.headers.get('location')).toBe(place(id));
    expect(answer.body).toMatchObject({
      ...{ protocol: 'socks5', host: 'proxy.example', port: 1080, username: 'anna', hasPassword: true },
      ...{ countryCode: 'DE', city: 'Köln', provider: 'Acme', monthlyCost: 4.5, maxRequestsPerHour: 200 },
      ...{ isShared: false, isActive: true, disabledBy: null, failureCount: 0, successRate: null },
    });
    expect(answer.text).not.toContain('gehe');
    expect(await passwordOf(id)).toBe('gehe:im@%41');
    expect((await admin.get(place(id))).body).toEqual(answer.body);
  });

  test('can be named as older programs name it, and as a URL', async () => {
    const old = await admin.post(ALL, {
      ...{ proxy_url: 'a.example', proxy_port: 3128, proxy_protocol: 'https', proxy_username: 'u' },
      ...{ proxy_password: 'p', max_requests_per_hour: 7 },
    });
    expect(old.body).toMatchObject({
      ...{ host: 'a.example', port: 3128, protocol: 'https', username: 'u', hasPassword: true },
      maxRequestsPerHour: 7,
    });
    const whole = await admin.post(ALL, { url: 'http://u%40x:p%3Aw@[2606:4700::1]:8080' });
    expect(whole.body).toMatchObject({
      host: '2606:4700::1',
      port: 8080,
      username: 'u@x',
      hasPassword: true,
    });
    expect(await passwordOf((whole.body as Shown).id)).toBe('p:w');
  });

  test.each([
    [{ host: 'a.example' }, 'bad-proxy'],
    [{ port: 80 }, 'bad-proxy'],
    [{ host: 'a.example', port: 0 }, 'invalid'],
    [{ host: 'a.example', port: 70_000 }, 'invalid'],
    [{ host: 'a.example', port: 80, protocol: 'ftp' }, 'invalid'],
    [{ host: 'http://a.example', port: 80 }, 'bad-proxy'],
    [{ host: 'u:geheim@a.example', port: 80 }, 'bad-proxy'],
    [{ host: 'a..example', port: 80 }, 'bad-proxy'],
    [{ host: '[::zz]', port: 80 }, 'bad-proxy'],
    [{ host: '127.0.0.1', port: 80 }, 'bad-proxy'],
    [{ host: '10.1.2.3', port: 80 }, 'bad-proxy'],
    [{ host: 'localhost', port: 80 }, 'bad-proxy'],
    [{ host: '0x7f.1', port: 80 }, 'bad-proxy'],
    [{ host: 'a.example', port: 80, password: 'geheim' }, 'bad-proxy'],
    [{ host: 'a.example', port: 80, username: 'a:b', password: 'geheim' }, 'bad-proxy'],
    [{ host: 'a.example', port: 80, username: 'u', password: 'gehei\nm' }, 'bad-proxy'],
    [{ host: 'a.example', port: 80, username: 'u', password: 'geheim'.repeat(100) }, 'invalid'],
    [{ host: 'a.example', port: 80, countryCode: 'Deutschland' }, 'invalid'],
    [{ url: 'http://u:geheim@a.example:80', host: 'b.example' }, 'bad-proxy'],
    [{ url: 'http://u:geheim@a.example' }, 'bad-proxy'],
    [{ url: 'ftp://u:geheim@a.example:21' }, 'bad-proxy'],
    [{ host: 'a.example', port: 80, geheim: 1 }, 'invalid'],
  ])('%j is refused, and no password repeated', async (body, code) => {
    const { problem, text } = await admin.post(ALL, body);
    expect(problem).toMatchObject({ status: 400, code });
    if (!Object.hasOwn(body, 'geheim')) expect(text).not.toContain('geheim');
  });

  test('is there once: the same protocol, host, port and user name again are refused', async () => {
    const id = await add({ username: 'u' });
    const again = await admin.post(ALL, { host: 'P.example', port: 8080, username: 'u', password: 'x' });
    expect(again.problem).toMatchObject({ status: 409, code: 'proxy-exists' });
    expect(again.problem?.detail).toContain(`Proxy ${id} `);
    const other = await add({ username: 'v' });
    expect((await admin.patch(place(other), { username: 'u' })).problem?.code).toBe('proxy-exists');
    await add({ protocol: 'socks5', username: 'u' });
  });

  test('has its password set, changed and removed', async () => {
    const id = await add({ username: 'u' });
    expect((await admin.patch(place(id), { password: 'eins' })).body).toMatchObject({ hasPassword: true });
    expect(await passwordOf(id)).toBe('eins');
    expect((await admin.patch(place(id), { city: 'Ulm' })).body).toMatchObject({ hasPassword: true });
    expect(await passwordOf(id)).toBe('eins');
    await admin.patch(place(id), { proxy_password: 'zwei' });
    expect(await passwordOf(id)).toBe('zwei');
    expect((await admin.patch(place(id), { password: null })).body).toMatchObject({ hasPassword: false });
    await admin.patch(place(id), { password: 'drei' });
    expect((await admin.patch(place(id), { username: null })).body).toMatchObject({
      ...{ username: null, hasPassword: false },
    });
    expect((await admin.patch(place(id), { password: 'vier' })).problem?.code).toBe('bad-proxy');
  });

  test('is changed, and what is left out stays', async () => {
    const id = await add({ provider: 'Acme', city: 'Ulm' });
    const changed = await admin.patch(place(id), { provider: null, is_shared: false, monthly_cost: 3 });
    expect(changed.body).toMatchObject({ provider: null, city: 'Ulm', isShared: false, monthlyCost: 3 });
    expect((await admin.patch(place(id), {})).problem?.code).toBe('invalid');
    expect((await admin.patch(place(id), { host: '127.0.0.1' })).problem?.code).toBe('bad-proxy');
  });

  test('is switched off by a person and stays off; on, its failures are forgotten', async () => {
    const id = await add();
    await server.database.execute('update proxies set failure_count = 7, outages_count = 2');
    const off = await admin.post(place(id, '/disable'));
    expect(off.body).toMatchObject({ isActive: false, retryAt: null, failureCount: 7 });
    expect((off.body as { disabledBy: string }).disabledBy).toMatch(/^user:admin/);
    const on = await admin.post(place(id, '/enable'));
    expect(on.body).toMatchObject({
      ...{ isActive: true, disabledBy: null, disabledAt: null, failureCount: 0, outagesCount: 0 },
    });
  });

  test('is tried again at once where it is out for its failures, when it is enabled', async () => {
    const id = await add();
    const domainId = await addDomain('a.example');
    await server.database.execute(
      `insert into domain_proxies (domain_id, proxy_id, is_active, disabled_by, retry_at, failure_count)
       values ($1, $2, false, 'failures', now() + interval '3 hours', 5)`,
      [domainId, id],
    );
    await admin.post(place(id, '/enable'));
    const { rows } = await server.database.db.query<{ due: boolean; is_active: boolean }>(
      'select retry_at <= now() as due, is_active from domain_proxies',
    );
    expect(rows).toEqual([{ due: true, is_active: false }]);
  });

  test('goes, but not without a word where a pool would be left empty', async () => {
    const id = await add();
    await addDomain('a.example');
    await admin.post('/api/admin/domains/a.example/proxies', { proxyId: id });
    const refused = await admin.delete(place(id));
    expect(refused.problem).toMatchObject({ status: 400, code: 'not-confirmed' });
    expect(refused.problem?.detail).toContain('a.example');
    expect((await admin.delete(place(id), { confirm: true })).status).toBe(204);
    expect((await admin.get(place(id))).problem?.code).toBe('unknown-proxy');
  });

  test('that is not there is a 404 everywhere', async () => {
    for (const answer of [
      ...[await admin.get(place(9999)), await admin.patch(place(9999), { port: 1 })],
      ...[await admin.delete(place(9999)), await admin.post(place(9999, '/enable'))],
      ...[await admin.post(place(9999, '/disable')), await admin.post(place(9999, '/check'))],
    ]) {
      expect(answer.problem).toMatchObject({ status: 404, code: 'unknown-proxy' });
    }
  });
});

describe('the list', () => {
  test('is read page by page, the newest first', async () => {
    const ids: number[] = [];
    for (let port = 1; port <= 5; port += 1) ids.unshift(await add({ port }));
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer = await admin.get(ALL, { limit: 2, ...(cursor === '' ? {} : { cursor }) });
      const page = answer.body as { items: Shown[]; nextCursor: string | null };
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  test('is filtered', async () => {
    await add({ host: 'us.example', countryCode: 'US', provider: 'Acme', username: 'first-user' });
    await add({ host: 'de.example', countryCode: 'DE', isShared: false, protocol: 'socks5' });
    const off = await add({ host: 'off.example' });
    const out = await add({ host: 'out.example' });
    await admin.post(place(off, '/disable'));
    await server.database.execute(
      "update proxies set is_active = false, disabled_by = 'failures', retry_at = now() where id = $1",
      [out],
    );
    const hosts = async (query: Record<string, string | boolean>): Promise<string[]> =>
      ((await admin.get(ALL, query)).body as { items: Shown[] }).items.map(({ host }) => host).sort();
    expect(await hosts({ state: 'active' })).toEqual(['de.example', 'us.example']);
    expect(await hosts({ state: 'out' })).toEqual(['out.example']);
    expect(await hosts({ state: 'disabled' })).toEqual(['off.example']);
    expect(await hosts({ isActive: false })).toEqual(['off.example', 'out.example']);
    expect(await hosts({ is_shared: false })).toEqual(['de.example']);
    expect(await hosts({ protocol: 'socks5' })).toEqual(['de.example']);
    expect(await hosts({ countryCode: 'us' })).toEqual(['us.example']);
    expect(await hosts({ provider: 'acme' })).toEqual(['us.example']);
    expect(await hosts({ text: 'FIRST-' })).toEqual(['us.example']);
    expect(await hosts({ text: '%' })).toEqual([]);
    expect((await admin.get(ALL, { state: 'tired' })).problem?.code).toBe('invalid');
  });
});

describe('an import', () => {
  const TEXT = [
    '\ufeff# from the seller',
    'http://anna:gehe%40im@a.example:8080',
    '',
    'socks5://b.example:1080',
    'http://anna:other@A.example:8080',
    'http://c.example',
    'http://user:geheim@:99',
    'd.example:3128:otto:p:geheim@%41',
    'e.example:3128:otto:p:geheim%41',
    'http://user:gehe@im@f.example:81/',
    'https://[2606:4700::2]:443',
    'geheim',
  ].join('\r\n');

  test('takes good lines, tells of bad ones, and repeats none', async () => {
    const answer = await admin.post(`${ALL}/import`, { text: TEXT, provider: 'Acme', countryCode: 'DE' });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/gehe/);
    const { results, ...figures } = answer.body as {
      results: { line: number; result: string; proxy: string }[];
    };
    expect(figures).toEqual({ lines: 10, added: 5, updated: 0, duplicates: 1, refused: 4, assigned: 0 });
    expect(results.map(({ line, result, proxy }) => `${line} ${result} ${proxy}`)).toEqual([
      '2 added http://anna@a.example:8080',
      '4 added socks5://b.example:1080',
      '5 duplicate http://anna@a.example:8080',
      '6 refused http://c.example',
      '7 refused http://***',
      '8 refused ***',
      '9 added http://otto@e.example:3128',
      '10 added http://user@f.example:81',
      '11 added https://[2606:4700::2]:443',
      '12 refused ***',
    ]);
    const [first] = results as unknown as { id: number }[];
    expect(await passwordOf(first?.id ?? 0)).toBe('gehe@im');
    expect(await passwordOf((results[6] as unknown as { id: number }).id)).toBe('p:geheim%41');
    expect(await passwordOf((results[7] as unknown as { id: number }).id)).toBe('gehe@im');
    expect((await admin.get(place(first?.id ?? 0))).body).toMatchObject({
      provider: 'Acme',
      countryCode: 'DE',
    });
  });

  test('leaves what is there alone, or updates it where that is wanted', async () => {
    const id = await add({ username: 'u', password: 'alt' });
    const line = 'http://u:neu@p.example:8080';
    expect((await admin.post(`${ALL}/import`, { lines: [line] })).body).toMatchObject({
      duplicates: 1,
      added: 0,
    });
    expect(await passwordOf(id)).toBe('alt');
    const updated = await admin.post(`${ALL}/import`, { lines: [line], on_duplicate: 'update', city: 'Ulm' });
    expect(updated.body).toMatchObject({ updated: 1, results: [{ line: 1, result: 'updated', id }] });
    expect(await passwordOf(id)).toBe('neu');
    expect((await admin.get(place(id))).body).toMatchObject({ city: 'Ulm' });
    await admin.post(`${ALL}/import`, { lines: ['http://u@p.example:8080'], onDuplicate: 'update' });
    expect(await passwordOf(id)).toBe('neu');
  });

  test('assigns them to a domain where one is named', async () => {
    await addDomain('a.example', WAITING);
    const body = { lines: ['b.example:80', 'c.example:80'], domain: 'a.example', isShared: false };
    expect((await admin.post(`${ALL}/import`, body)).body).toMatchObject({ added: 2, assigned: 2 });
    expect((await admin.post(`${ALL}/import`, body)).body).toMatchObject({ duplicates: 2, assigned: 0 });
    const pool = (await admin.get('/api/admin/domains/a.example/proxies')).body as { items: unknown[] };
    expect(pool.items).toHaveLength(2);
    expect(await waits('a.example')).toBe(false);
    expect((await admin.post(`${ALL}/import`, { ...body, domain: 'nowhere.example' })).problem?.code).toBe(
      'unknown-domain',
    );
  });

  test('is bounded, and needs text or lines', async () => {
    const many = Array.from({ length: 10_050 }, (_, n) => `p${n}.example:80`);
    expect((await admin.post(`${ALL}/import`, { text: many.join('\n') })).problem?.code).toBe(
      'too-many-lines',
    );
    expect((await admin.post(`${ALL}/import`, { lines: many })).problem?.code).toBe('invalid');
    expect((await admin.post(`${ALL}/import`, {})).problem?.code).toBe('invalid');
    expect((await admin.post(`${ALL}/import`, { text: 'a', lines: ['a'] })).problem?.code).toBe('invalid');
    const { rows } = await server.database.db.query('select from proxies');
    expect(rows).toHaveLength(0);
  });
});

describe('an export', () => {
  test('has every proxy and no password, in each format', async () => {
    await add({ username: 'an:na', protocol: 'socks5', password: 'geheim' });
    await add({ host: '2606:4700::3', port: 1, provider: '=cmd()' });
    const lines = await admin.get(`${ALL}/export`);
    expect(lines.text).toBe('http://[2606:4700::3]:1\nsocks5://an%3Ana@p.example:8080\n');
    const csv = await admin.get(`${ALL}/export`, { format: 'csv' });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text.split('\r\n')).toHaveLength(4);
    expect(csv.text).toContain("'=cmd()");
    const json = await admin.get(`${ALL}/export`, { format: 'json', text: 'p.example' });
    expect(JSON.parse(json.text)).toMatchObject({ host: 'p.example', hasPassword: true, username: 'an:na' });
    for (const { text } of [lines, csv, json]) expect(text).not.toContain('geheim');
  });
});

describe('a domain that waits for a proxy is crawled again', () => {
  test('when a shared one is added, but not one for others', async () => {
    await addDomain('a.example', WAITING);
    await add({ isShared: false, port: 1 });
    expect(await waits('a.example')).toBe(true);
    await add({ isActive: false, port: 2 });
    expect(await waits('a.example')).toBe(true);
    await add({ port: 3 });
    expect(await waits('a.example')).toBe(false);
  });

  test('when one of its pool is enabled, and only then if it has a pool', async () => {
    const domainId = await addDomain('a.example', WAITING);
    const id = await add({ isActive: false, port: 1 });
    await server.database.execute('insert into domain_proxies (domain_id, proxy_id) values ($1, $2)', [
      domainId,
      id,
    ]);
    await add({ port: 2 });
    expect(await waits('a.example')).toBe(true);
    await admin.post(place(id, '/enable'));
    expect(await waits('a.example')).toBe(false);
  });

  test('unless a worker is at it, who is left alone', async () => {
    await addDomain('a.example', WAITING);
    await server.database.execute(
      "update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 hour', last_crawl_run_id = null",
    );
    await add();
    expect(await waits('a.example')).toBe(true);
  });
});
