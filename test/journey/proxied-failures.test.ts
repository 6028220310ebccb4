/** Real proxies that are gone, frozen or killed in the middle, and what a site does behind a living one. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { dropBeforeHeaders } from '../origin/behaviours/raw.ts';
import { hang, stallBody } from '../origin/behaviours/slow.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { SiteDefinition } from '../origin/site.ts';
import { startMicrosocks, startSquid, startTinyproxy, type TestProxy } from '../support/proxies.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../origin/fixtures/${name}`, import.meta.url), 'utf8');
const tls = { key: readFixture('secure-localhost.key.pem'), cert: readFixture('secure-localhost.cert.pem') };

const site: SiteDefinition = {
  pages: {
    '/': 'here',
    '/hang': hang,
    '/stall': stallBody,
    '/drop': dropBeforeHeaders,
    '/promise': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000000' });
      response.write('<p>the first of many');
    },
  },
};

let plain: Origin;
let secure: Origin;
let fetcher: Fetcher;

beforeAll(async () => {
  plain = await startOrigin();
  plain.site('secure', site);
  secure = await startOrigin({ tls });
  secure.site('secure', site);
  fetcher = createTestFetcher({ ca: tls.cert, connectTimeoutMs: 1_000 });
});

afterAll(async () => {
  await fetcher.close();
  await plain.close();
  await secure.close();
});

const hosts = ['secure.localhost'];
const KINDS: readonly [string, () => Promise<TestProxy>][] = [
  ['squid', () => startSquid({ hosts })],
  ['squid over TLS', () => startSquid({ hosts, tls })],
  ['tinyproxy', () => startTinyproxy({ hosts })],
  ['microsocks', () => startMicrosocks()],
];
const SITES: readonly [string, () => Origin][] = [
  ['a plain site', () => plain],
  ['a secure site', () => secure],
];
const CASES = KINDS.flatMap(([kind, start]) =>
  SITES.map(([what, origin]) => [what, kind, origin, start] as const),
);

describe.each(CASES)('%s through %s', (_what, kind, originOf, start) => {
  let proxy: TestProxy;
  let origin: Origin;

  beforeAll(async () => {
    origin = originOf();
    proxy = await start();
  });

  afterEach(() => {
    proxy.resume();
    origin.forgetRequests();
  });

  afterAll(() => proxy.stop());

  const fetchPath = (path: string, timeoutMs = 20_000, via: ProxyEndpoint = proxy.endpoint(9)) =>
    fetcher.fetch(pageRequest(origin.hostUrl('secure', path), { via, timeoutMs }));

  it('that is slow is a slow site, as long as the proxy answers', async () => {
    expect(await fetchPath('/hang', 300)).toMatchObject({ reason: 'headers-timeout', proxyId: 9 });
    expect(await fetchPath('/stall', 300)).toMatchObject({ reason: 'body-timeout', proxyId: 9 });
  });

  it('that hangs up is not held against the proxy’s connection', async () => {
    const result = await fetchPath('/drop');
    // squid tells it, tinyproxy hangs up in its turn, and a tunnel just ends.
    const isTold = origin === plain && kind.startsWith('squid');
    const reason = isTold ? 'proxy-tunnel' : 'dropped';
    expect(result).toMatchObject({ kind: 'failure', reason, proxyId: 9 });
    expectResponse(await fetchPath('/'));
  });

  it('is not blamed for a proxy that froze, before or after the connection was made', async () => {
    expectResponse(await fetchPath('/'));
    proxy.pause();
    const kept = await fetchPath('/', 500);
    expect(kept).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 9 });
    const fresh = await fetchPath('/', 500, proxy.endpoint(9, { key: 'another connection' }));
    expect(fresh).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 9 });
    proxy.resume();
    expectResponse(await fetchPath('/'));
  });

  it('is not blamed for a proxy that was killed in the middle of an answer, nor for one that is gone', async () => {
    const asked = fetchPath('/promise');
    await origin.waitForRequest(({ path }) => path === '/promise');
    await proxy.kill();
    expect(await asked).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 9 });
    expect(await fetchPath('/')).toMatchObject({ reason: 'proxy-unreachable', proxyId: 9 });
    await proxy.restart();
    expectResponse(await fetchPath('/'));
  });
});

it('a proxy whose name nobody knows, or that does not speak TLS, is unreachable', async () => {
  const proxy = await startMicrosocks();
  try {
    for (const changes of [{ host: 'nowhere.invalid' }, { protocol: 'https' as const }]) {
      const via = proxy.endpoint(2, changes);
      const result = await fetcher.fetch(pageRequest(plain.hostUrl('secure', '/'), { via }));
      expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 2 });
    }
  } finally {
    await proxy.stop();
  }
});

it('a proxy with a certificate for another name is unreachable', async () => {
  const proxy = await startSquid({ tls, hosts });
  try {
    const via = proxy.endpoint(2, { host: 'other.localhost' });
    const result = await fetcher.fetch(pageRequest(plain.hostUrl('secure', '/'), { via }));
    expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 2 });
  } finally {
    await proxy.stop();
  }
});

it('a SOCKS5 proxy taken for an HTTP one speaks nonsense', async () => {
  const proxy = await startMicrosocks();
  try {
    const via = proxy.endpoint(2, { protocol: 'http' });
    for (const origin of [plain, secure]) {
      const result = await fetcher.fetch(pageRequest(origin.hostUrl('secure', '/'), { via }));
      expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-protocol', proxyId: 2 });
    }
  } finally {
    await proxy.stop();
  }
});

it('an HTTP proxy taken for a SOCKS5 one waits for the rest of a line, and counts as silent', async () => {
  const proxy = await startTinyproxy({ hosts });
  try {
    const via = proxy.endpoint(2, { protocol: 'socks5' });
    const result = await fetcher.fetch(pageRequest(plain.hostUrl('secure', '/'), { via }));
    expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 2 });
  } finally {
    await proxy.stop();
  }
});
