/** Pages through real proxies: every protocol, plain and secure sites, the right and the wrong credentials. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import {
  startMicrosocks,
  startSquid,
  startSquids,
  startTinyproxy,
  type TestProxy,
  type TestSquid,
} from '../support/proxies.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../origin/fixtures/${name}`, import.meta.url), 'utf8');
const tls = { key: readFixture('secure-localhost.key.pem'), cert: readFixture('secure-localhost.cert.pem') };
const login = { user: 'courier', password: 'p:ä ss%41' };
const hosts = ['plain.localhost'];

let plain: Origin;
let secure: Origin;
let fetcher: Fetcher;

beforeAll(async () => {
  plain = await startOrigin();
  plain.site('plain', { pages: { '/*': 'open' } });
  secure = await startOrigin({ tls });
  secure.site('secure', { pages: { '/*': 'secret' } });
  fetcher = createTestFetcher({ ca: tls.cert });
});

afterAll(async () => {
  await fetcher.close();
  await plain.close();
  await secure.close();
});

const plainUrl = () => plain.hostUrl('plain', '/page?q=1');
const secureUrl = () => secure.hostUrl('secure', '/page');
const fetchVia = (url: string, via: ProxyEndpoint) => fetcher.fetch(pageRequest(url, { via }));

const KINDS: readonly [string, (user?: typeof login) => Promise<TestProxy>][] = [
  ['squid', (user) => startSquid({ ...user, hosts })],
  ['squid over TLS', (user) => startSquid({ ...user, hosts, tls })],
  // Its configuration takes plain letters and digits only.
  ['tinyproxy', (user) => startTinyproxy({ ...(user && { user: user.user, password: 'pass41' }), hosts })],
  ['microsocks', (user) => startMicrosocks(user)],
];

describe.each(KINDS)('through %s', (_name, start) => {
  let open: TestProxy;
  let guarded: TestProxy;

  beforeAll(async () => {
    [open, guarded] = await Promise.all([start(), start(login)]);
  });

  afterAll(async () => {
    await open.stop();
    await guarded.stop();
  });

  it('a plain page arrives, asked for by the name in its URL, and no address is claimed for its server', async () => {
    plain.forgetRequests();
    const result = expectResponse(await fetchVia(plainUrl(), open.endpoint(3)));
    expect(result).toMatchObject({ status: 200, proxyId: 3, remoteAddress: undefined });
    expect(result.body.toString()).toBe('open');
    const [asked] = plain.requestsTo('plain', '/page?q=1');
    expect(asked?.headers.host).toBe(`plain.localhost:${plain.port}`);
    expect(asked?.headers['proxy-authorization']).toBeUndefined();
  });

  it('a secure page arrives, its certificate checked against the name in its URL', async () => {
    expect(expectResponse(await fetchVia(secureUrl(), open.endpoint(3))).body.toString()).toBe('secret');
    const other = await fetchVia(secure.hostUrl('other', '/'), open.endpoint(3));
    expect(other).toMatchObject({ kind: 'failure', reason: 'tls-failed', proxyId: 3 });
  });

  it('pages arrive with the right user name and password, which no site gets to see', async () => {
    plain.forgetRequests();
    secure.forgetRequests();
    for (const url of [plainUrl(), secureUrl()]) {
      expect(expectResponse(await fetchVia(url, guarded.endpoint(4))).status).toBe(200);
    }
    const seen = JSON.stringify([...plain.requests, ...secure.requests].map(({ headers }) => headers));
    expect(seen).not.toContain('proxy-authorization');
  });

  it.each([
    ['the wrong password', { password: 'guessed-wrong' }],
    ['the wrong user', { username: 'somebody-else' }],
    ['no user', { username: undefined, password: undefined }],
  ])('%s is the proxy’s refusal, told without the secret', async (_what, changes) => {
    plain.forgetRequests();
    for (const url of [plainUrl(), secureUrl()]) {
      const result = await fetchVia(url, guarded.endpoint(4, changes));
      expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-auth', proxyId: 4, status: undefined });
      const message = result.kind === 'failure' ? result.message : '';
      expect(message).toContain(`${guarded.protocol}://${guarded.host}:${guarded.port}`);
      expect(message).not.toMatch(/courier|guessed-wrong|somebody-else/);
    }
    expect(plain.requests).toHaveLength(0);
  });

  it('a site that refuses connections is told as what the proxy says', async () => {
    const closed = await startOrigin();
    await closed.close();
    for (const scheme of ['http', 'https']) {
      const result = await fetchVia(`${scheme}://127.0.0.1:${closed.port}/`, open.endpoint(5));
      expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-tunnel', proxyId: 5 });
    }
  });

  it('errors of the site stay errors of the site', async () => {
    const missing = expectResponse(await fetchVia(plain.url('/nothing'), open.endpoint(5)));
    expect(missing).toMatchObject({ status: 404, proxyId: 5 });
  });

  it('nothing is left of the connections when the fetcher is closed', async () => {
    const own = await startOrigin({ tls });
    own.site('secure', { pages: { '/*': 'secret' } });
    const short = createTestFetcher({ ca: tls.cert });
    const via = open.endpoint(6);
    expectResponse(await short.fetch(pageRequest(own.hostUrl('secure', '/'), { via })));
    await short.close();
    await own.waitUntilAlone();
    await own.close();
  });

  it('a cookie goes to the site', async () => {
    plain.forgetRequests();
    const via = open.endpoint(6);
    expectResponse(await fetcher.fetch(pageRequest(plainUrl(), { via, cookie: 'a=1; b=2' })));
    expect(plain.requests[0]?.headers.cookie).toBe('a=1; b=2');
  });
});

describe('connections through a proxy', () => {
  let squid: TestSquid;

  beforeAll(async () => {
    squid = await startSquid({ hosts });
  });

  afterAll(() => squid.stop());

  it('are kept and used again, for plain and for secure sites', async () => {
    secure.forgetRequests();
    const via = squid.endpoint(1);
    for (let round = 0; round < 5; round++) {
      expectResponse(await fetchVia(plainUrl(), via));
      expectResponse(await fetchVia(secureUrl(), via));
    }
    const asked = (await squid.requests()).filter(({ method }) => method === 'GET');
    expect(asked).toHaveLength(5);
    expect(new Set(asked.map(({ clientPort }) => clientPort)).size).toBe(1);
    expect(new Set(secure.requests.map(({ clientPort }) => clientPort)).size).toBe(1);
  });

  it('that were made under other credentials are not used any more', async () => {
    secure.forgetRequests();
    for (const username of ['one', 'two', 'two']) {
      expectResponse(await fetchVia(secureUrl(), squid.endpoint(1, { username })));
    }
    expect(new Set(secure.requests.map(({ clientPort }) => clientPort)).size).toBe(2);
  });
});

it('one squid with several ports is several proxies, each with its own count', async () => {
  const squids = await startSquids(3, { hosts });
  try {
    for (const [index, squid] of squids.entries()) {
      for (let asked = 0; asked <= index; asked++) {
        expectResponse(await fetchVia(plainUrl(), squid.endpoint(index)));
      }
    }
    const counts = await Promise.all(
      squids.map(async (squid) => (await squid.requests()).filter(({ method }) => method === 'GET').length),
    );
    expect(counts).toEqual([1, 2, 3]);
  } finally {
    await squids[0]?.stop();
  }
});
