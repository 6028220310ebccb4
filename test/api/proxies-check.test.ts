/** Reaching out through a proxy, and what is told about it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { type ScriptedProxy, startScriptedProxy } from '../support/proxies-scripted.ts';

const PASSWORD = 'gehe:im@%41';
const CREDENTIALS = Buffer.from(`anna:${PASSWORD}`).toString('base64');

let server: TestServer;
let admin: ApiClient;
/** Says where it was asked from. */
let echo: Server;
let echoUrl: string;
let proxy: ScriptedProxy;
let answer: string;
beforeAll(async () => {
  echo = createServer((_request, response) => response.end('203.0.113.1'));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
  proxy = await startScriptedProxy((socket, said) => {
    if (!said.includes('\r\n\r\n')) return;
    const isKnown = /^proxy-authorization: (.*)\r$/im.exec(said.toString())?.[1] === `Basic ${CREDENTIALS}`;
    socket.end(isKnown ? answer : 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
  });
  server = await startTestServer({ allowPrivate: true, proxyCheckUrl: echoUrl });
  admin = await server.as('admin');
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  echo.close();
});
beforeEach(async () => {
  await server.database.execute('delete from proxies');
  proxy.told.length = 0;
  answer = okay('{"origin": "203.0.113.7, 10.0.0.1"}', 'application/json');
});

function okay(body: string, type = 'text/plain'): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function add(more: object = {}): Promise<number> {
  const { body, text, status } = await admin.post('/api/admin/proxies', {
    ...{ host: '127.0.0.1', port: proxy.port, username: 'anna', password: PASSWORD, ...more },
  });
  expect(status, text).toBe(201);
  return (body as { id: number }).id;
}

const check = (id: number, body?: object) => admin.post(`/api/admin/proxies/${id}/check`, body);

describe('a check', () => {
  test('tells the address seen from outside and the latency, and counts for nothing', async () => {
    const id = await add();
    const { status, body, text } = await check(id);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      ...{ proxyId: id, ok: true, url: echoUrl, address: '203.0.113.7', httpStatus: 200, error: null },
      latencyMs: expect.any(Number),
      note: expect.stringContaining('in use'),
    });
    expect(text).not.toContain('gehe');
    const { body: after } = await admin.get(`/api/admin/proxies/${id}`);
    expect(after).toMatchObject({
      ...{ exitAddress: '203.0.113.7', successCount: 0, failureCount: 0, lastUsedAt: null },
      checkedAt: (body as { checkedAt: string }).checkedAt,
    });
    // It went through the proxy and nowhere else.
    expect(proxy.told).toHaveLength(1);
  });

  test('reads plain text and other fields, and asks for what the caller names', async () => {
    const id = await add();
    for (const [body, address] of [
      ['2001:db8::5\n', '2001:db8::5'],
      ['{"query": "198.51.100.4"}', '198.51.100.4'],
      ['{"ip": "198.51.100.5"}', '198.51.100.5'],
      ['hello', null],
    ] as const) {
      answer = okay(body);
      expect((await check(id, { url: `${echoUrl}other` })).body).toMatchObject({
        ...{ ok: true, address, url: `${echoUrl}other` },
      });
    }
    expect((await admin.get(`/api/admin/proxies/${id}`)).body).toMatchObject({ exitAddress: '198.51.100.5' });
  });

  test('tells what is wrong: the password, the target, the proxy', async () => {
    const wrong = await check(await add({ password: 'falsch' }));
    expect(wrong.body).toMatchObject({ ok: false, address: null, error: { code: 'proxy-auth' } });
    expect(wrong.text).not.toContain('falsch');
    const id = await add({ protocol: 'http', username: 'anna', host: 'localhost' });
    answer = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
    expect((await check(id)).body).toMatchObject({
      ok: false,
      httpStatus: 404,
      error: { code: 'http-status' },
    });
    const gone = await startScriptedProxy(() => undefined);
    await gone.close();
    expect((await check(await add({ port: gone.port }))).body).toMatchObject({
      ...{ ok: false, httpStatus: null, error: { code: 'proxy-unreachable' } },
      note: expect.stringContaining('counts as no failure'),
    });
  });

  test('enables nothing', async () => {
    const id = await add();
    await admin.post(`/api/admin/proxies/${id}/disable`);
    expect((await check(id)).body).toMatchObject({
      ok: true,
      note: expect.stringContaining('enables nothing'),
    });
    expect((await admin.get(`/api/admin/proxies/${id}`)).body).toMatchObject({ isActive: false });
    await server.database.execute("update proxies set disabled_by = 'failures', retry_at = now()");
    expect((await check(id)).body).toMatchObject({
      note: expect.stringContaining('still out for its failures'),
    });
  });

  test.each(['ftp://a.example/', 'nonsense', 'http://u:geheim@a.example/', 'http://a.example:25/'])(
    'of %s is refused',
    async (url) => {
      const { problem, text } = await check(await add(), { url });
      expect(problem).toMatchObject({ status: 400, code: 'bad-url' });
      expect(text).not.toContain('geheim');
      expect(proxy.told).toHaveLength(0);
    },
  );
});

test('where private addresses are not allowed, neither targets nor proxies are reached there', async () => {
  const guarded = await startTestServer({ proxyCheckUrl: echoUrl });
  try {
    const client = await guarded.as('admin');
    const { rows } = await guarded.database.execute<{ id: number }>(
      "insert into proxies (proxy_url, proxy_port) values ('127.0.0.1', $1) returning id",
      [proxy.port],
    );
    const path = `/api/admin/proxies/${rows[0]?.id}/check`;
    expect((await client.post(path)).problem?.code).toBe('bad-url');
    for (const url of ['http://169.254.169.254/latest/', 'http://localhost/', 'http://[::1]/']) {
      expect((await client.post(path, { url })).problem?.code).toBe('bad-url');
    }
    const elsewhere = await client.post(path, { url: 'http://93.184.215.14/' });
    expect(elsewhere.body).toMatchObject({ ok: false, error: { code: 'proxy-unreachable' } });
    expect(proxy.told).toHaveLength(0);
  } finally {
    await guarded.close();
  }
});
