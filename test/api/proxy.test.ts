import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeProxyTrust, networkOf, plainAddress } from '../../src/api/client-address.ts';
import { hashPassword } from '../../src/control/access/passwords.ts';
import { startTestServer, type TestServer } from '../support/api.ts';

/** The proxy speaks from here; whoever else is on loopback is a stranger. */
const PROXY_ADDRESS = '127.0.0.1';
const LIMIT = 3;
const PUBLIC_PATH = '/api/openapi.json';

interface Sent {
  readonly to: string;
  /** The address it is sent from. */
  readonly from?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
}

async function send({ to, from = '127.0.0.2', path = PUBLIC_PATH, headers = {}, body }: Sent): Promise<Got> {
  const request = http.request(new URL(path, to), {
    ...{ method: body === undefined ? 'GET' : 'POST', localAddress: from, agent: false },
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode ?? 0, headers: answer.headers };
}

/** As proxies do it: adds to what came in X-Forwarded-For, says how it was reached itself. */
async function startProxy(target: string): Promise<{ readonly url: string; close(): void }> {
  const proxy = http.createServer((request, response) => {
    const before = request.headers['x-forwarded-for'];
    const own = request.socket.remoteAddress ?? '';
    const forwarded = http.request(new URL(request.url ?? '/', target), {
      ...{ method: request.method ?? 'GET', localAddress: PROXY_ADDRESS, agent: false },
      headers: {
        ...request.headers,
        'x-forwarded-for': before === undefined ? own : `${String(before)}, ${own}`,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'forager.example.com',
      },
    });
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  proxy.listen(0, PROXY_ADDRESS);
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://${PROXY_ADDRESS}:${port}`, close: () => proxy.close() };
}

/** Which of as many requests as fit, and one more, get through. */
async function fill(make: (index: number) => Sent): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index <= LIMIT; index += 1) statuses.push((await send(make(index))).status);
  return statuses;
}
const ONE_ADDRESS = [200, 200, 200, 429];
const MANY_ADDRESSES = [200, 200, 200, 200];

describe('a server that trusts one proxy', () => {
  let server: TestServer;
  let proxy: { readonly url: string; close(): void };
  beforeEach(async () => {
    server = await startTestServer({ rateAnonymous: LIMIT, trustedProxies: PROXY_ADDRESS });
    proxy = await startProxy(server.url);
  });
  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  test('strangers that invent an X-Forwarded-For each time stay who they are', async () => {
    const statuses = await fill((index) => ({
      to: server.url,
      headers: { 'x-forwarded-for': `203.0.113.${index}` },
    }));
    expect(statuses).toEqual(ONE_ADDRESS);
  });

  test('clients of the proxy are told apart, and none is taken for the proxy', async () => {
    expect(await fill(() => ({ to: proxy.url, from: '127.0.0.2' }))).toEqual(ONE_ADDRESS);
    expect(await fill(() => ({ to: proxy.url, from: '127.0.0.3' }))).toEqual(ONE_ADDRESS);
    expect((await send({ to: server.url, from: PROXY_ADDRESS })).status).toBe(200);
  });

  test('what a client of the proxy claims to be changes nothing', async () => {
    const claims = ['203.0.113.9', 'nonsense', `${'9'.repeat(5000)}`, `10.0.0.1, ${PROXY_ADDRESS}, 8.8.8.8`];
    const statuses = await fill((index) => ({
      to: proxy.url,
      headers: { 'x-forwarded-for': claims[index] ?? '' },
    }));
    expect(statuses).toEqual(ONE_ADDRESS);
  });

  test('a proxy that passes on what is no address stands for it itself, however often that changes', async () => {
    const garbage = ['unknown', '_hidden7', '1.2.3.4.5', ',,,,'];
    const statuses = await fill((index) => ({
      ...{ to: server.url, from: PROXY_ADDRESS },
      headers: { 'x-forwarded-for': garbage[index] ?? '' },
    }));
    expect(statuses).toEqual(ONE_ADDRESS);
  });

  test('a port beside the address, or another way to write it, makes nobody new', async () => {
    const written = ['198.51.100.7', '198.51.100.7:4711', '::ffff:198.51.100.7', '[::ffff:c633:6407]:80'];
    const statuses = await fill((index) => ({
      ...{ to: server.url, from: PROXY_ADDRESS },
      headers: { 'x-forwarded-for': written[index] ?? '' },
    }));
    expect(statuses).toEqual(ONE_ADDRESS);
  });

  test('a whole IPv6 network of one customer is one sender, the next network is another', async () => {
    const from = (address: string): Sent => ({
      ...{ to: server.url, from: PROXY_ADDRESS },
      headers: { 'x-forwarded-for': address },
    });
    expect(await fill((index) => from(`2001:db8:1:2::${index}`))).toEqual(ONE_ADDRESS);
    expect(await fill((index) => from(`2001:db8:1:${index + 3}::1`))).toEqual(MANY_ADDRESSES);
  });

  test('the log names the client, not the proxy', async () => {
    await send({ to: proxy.url, from: '127.0.0.4', headers: { 'x-forwarded-for': '203.0.113.1' } });
    const lines = server.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toMatchObject({ msg: 'request', address: '127.0.0.4' });
  });

  test('https is believed when the proxy says so, and not when anybody else does', async () => {
    const behind = await send({ to: proxy.url });
    expect(behind.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    const claimed = await send({ to: server.url, headers: { 'x-forwarded-proto': 'https' } });
    expect(claimed.headers['strict-transport-security']).toBeUndefined();
  });

  test('the cookie of a session is for https only when the login came by https', async () => {
    await server.database.execute(
      "insert into users (username, role, password_hash) values ('anna', 'user', $1)",
      [await hashPassword('a rather long password 1')],
    );
    const login = {
      ...{ path: '/api/auth/login', body: { username: 'anna', password: 'a rather long password 1' } },
    };
    const behind = await send({ to: proxy.url, ...login });
    expect(behind.headers['set-cookie']?.[0]).toMatch(/; Secure(?:;|$)/);
    const claimed = await send({
      ...{ to: server.url, headers: { 'x-forwarded-proto': 'https' } },
      ...login,
    });
    expect(claimed.headers['set-cookie']?.[0]).not.toMatch(/; Secure/);
  });

  test('a page is our own by the name that the proxy was asked for, not by one that a stranger gives', async () => {
    const forged = { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' };
    const body = {};
    const path = '/api/auth/logout';
    const own = { origin: 'https://forager.example.com' };
    expect((await send({ ...{ to: server.url, path, body }, headers: forged })).status).toBe(403);
    expect(
      (await send({ ...{ to: proxy.url, path, body }, headers: { origin: forged.origin } })).status,
    ).toBe(403);
    expect((await send({ ...{ to: proxy.url, path, body }, headers: own })).status).not.toBe(403);
  });
});

describe('a server that trusts nobody', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ rateAnonymous: LIMIT });
  });
  afterAll(() => server.close());

  test('believes nothing that is forwarded, not even from its own machine', async () => {
    const statuses = await fill((index) => ({
      ...{ to: server.url, from: '127.0.0.1' },
      headers: { 'x-forwarded-for': `203.0.113.${index}`, forwarded: `for=203.0.113.${index}` },
    }));
    expect(statuses).toEqual(ONE_ADDRESS);
    const { headers } = await send({ to: server.url, headers: { 'x-forwarded-proto': 'https' } });
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});

describe('reading addresses', () => {
  const from = (peer: string, claim: string, trusted: readonly string[]): string =>
    makeProxyTrust(trusted).readAddress({
      socket: { remoteAddress: peer },
      headers: { 'x-forwarded-for': claim },
    } as unknown as http.IncomingMessage);

  test.each([
    ['10.0.0.1', '1.1.1.1, 2.2.2.2', ['10.0.0.0/8'], '2.2.2.2'],
    ['10.0.0.1', '1.1.1.1, 2.2.2.2, 10.9.9.9', ['10.0.0.0/8'], '2.2.2.2'],
    ['::ffff:10.0.0.1', '1.1.1.1', ['10.0.0.1'], '1.1.1.1'],
    ['10.0.0.1', '1.1.1.1', ['::ffff:10.0.0.0/104'], '1.1.1.1'],
    ['fd00::5', '2001:DB8::1', ['fd00::/8'], '2001:db8::1'],
    ['10.0.0.1', '1.1.1.1, x, 10.0.0.2', ['10.0.0.0/8'], '10.0.0.2'],
    ['11.0.0.1', '1.1.1.1', ['10.0.0.0/8'], '11.0.0.1'],
    ['11.0.0.1', '1.1.1.1', ['0.0.0.0/0'], '1.1.1.1'],
  ])('of %s with "%s", %j being trusted, it is %s', (peer, claim, trusted, expected) => {
    expect(from(peer, claim, trusted)).toBe(expected);
  });

  test.each(['', 'x', '1.2.3', '999.1.1.1', '1.2.3.4,', '::1::', '[1.2.3.4', 'localhost', '0x7f000001'])(
    '"%s" is no address',
    (text) => {
      expect(plainAddress(text)).toBeUndefined();
    },
  );

  test('networks of IPv6 have 64 bits, addresses of IPv4 stand for themselves', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('9.8.7.6')).toBe('9.8.7.6');
  });
});
