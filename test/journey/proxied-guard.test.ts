/** The guard of addresses holds through proxies: what we may not read ourselves no proxy is asked to read for us. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { createResolver, type Resolver } from '../../src/engine/fetch/resolver.ts';
import { type DnsServer, startDnsServer } from '../origin/dns-server.ts';
import { createTestFetcher, pageRequest } from '../origin/fetch-from.ts';
import { type ScriptedProxy, startScriptedProxy } from '../support/proxies-scripted.ts';

const PUBLIC = '93.184.216.34';
const PUBLIC6 = '2606:2800:220:1:248:1893:25c8:1946';

let dns: DnsServer;
let resolver: Resolver;
let proxy: ScriptedProxy;

beforeAll(async () => {
  dns = await startDnsServer();
  dns.set('site.example', { addresses: [PUBLIC] });
  dns.set('six.example', { addresses: [PUBLIC6] });
  dns.set('inside.example', { addresses: ['127.0.0.1'] });
  dns.set('metadata.example', { addresses: ['169.254.169.254'] });
  resolver = createResolver({ servers: [dns.address], hostsPath: '/nonexistent/hosts' });
  // Answers the greeting of SOCKS, and refuses everything else.
  proxy = await startScriptedProxy((socket, said) => {
    if (said[0] !== 5)
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nX-Squid-Error: ERR_ACCESS_DENIED 0\r\n\r\n');
    else if (said.length === 3) socket.write(Buffer.from([5, 0]));
    else socket.end(Buffer.from([5, 2]));
  });
});

beforeEach(() => {
  proxy.told.length = 0;
});

afterAll(async () => {
  resolver.close();
  await dns.close();
  await proxy.close();
});

const open = (changes = {}) =>
  createTestFetcher({ allowPrivate: false, allowPrivateProxies: true, resolver, ...changes });

async function fetchVia(url: string, via: ProxyEndpoint, changes = {}) {
  const fetcher = open(changes);
  const result = await fetcher.fetch(pageRequest(url, { via }));
  await fetcher.close();
  return result;
}

describe.each(['http', 'https', 'socks5'] as const)('through a private %s proxy', (protocol) => {
  it.each([
    'http://127.0.0.1:8080/',
    'https://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/',
    'http://inside.example/',
    'https://metadata.example/',
    'http://localhost/',
  ])('%s is refused, and the proxy never hears of it', async (url) => {
    const result = await fetchVia(url, proxy.endpoint(1, { protocol }));
    expect(result).toMatchObject({ kind: 'failure', reason: 'private-address' });
    expect(result.proxyId).toBeUndefined();
    expect(proxy.told).toHaveLength(0);
  });
});

describe('what a proxy in our own network is told', () => {
  it('is the vetted address, by CONNECT', async () => {
    await fetchVia('https://site.example:8443/', proxy.endpoint(1));
    await fetchVia('https://six.example/', proxy.endpoint(1));
    const lines = proxy.told.map((said) => said.toString('latin1').split('\r\n').slice(0, 2));
    expect(lines).toEqual([
      [`CONNECT ${PUBLIC}:8443 HTTP/1.1`, `Host: ${PUBLIC}:8443`],
      [`CONNECT [${PUBLIC6}]:443 HTTP/1.1`, `Host: [${PUBLIC6}]:443`],
    ]);
  });

  it('is the vetted address, by SOCKS5, for plain and for secure sites', async () => {
    await fetchVia('https://site.example/', proxy.endpoint(1, { protocol: 'socks5' }));
    await fetchVia('http://six.example/', proxy.endpoint(1, { protocol: 'socks5' }));
    const orders = proxy.told.map((said) => said.subarray(3).toString('hex'));
    expect(orders).toEqual([
      '05010001' + '5db8d822' + '01bb',
      '05010004' + '260628000220000102481893' + '25c81946' + '0050',
    ]);
  });

  it('is the name in absolute form, where nothing else is possible', async () => {
    const result = await fetchVia('http://site.example/a?b', proxy.endpoint(1));
    expect(proxy.told[0]?.toString('latin1')).toMatch(
      /^GET http:\/\/site\.example\/a\?b HTTP\/1\.1\r\nhost: site\.example\r\n/,
    );
    expect(result).toMatchObject({ reason: 'proxy-tunnel', proxyId: 1 });
  });
});

describe('a proxy on a private address', () => {
  it('is not spoken to unless private proxies are allowed, and the setting is named', async () => {
    const result = await fetchVia('http://site.example/', proxy.endpoint(1), { allowPrivateProxies: false });
    expect(result).toMatchObject({ kind: 'failure', reason: 'proxy-unreachable', proxyId: 1 });
    expect(result.kind === 'failure' && result.message).toContain('FORAGER_PRIVATE_PROXIES');
    expect(proxy.told).toHaveLength(0);
  });

  it('is not spoken to by a name that leads there either', async () => {
    const via = proxy.endpoint(1, { host: 'inside.example' });
    const result = await fetchVia('http://site.example/', via, { allowPrivateProxies: false });
    expect(result).toMatchObject({ reason: 'proxy-unreachable', proxyId: 1 });
    expect(proxy.told).toHaveLength(0);
  });

  it.each([
    '169.254.169.254',
    'fe80::1',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'metadata.example',
  ])('is never %s, where a cloud keeps its secrets', async (host) => {
    const result = await fetchVia('http://site.example/', proxy.endpoint(1, { host }));
    expect(result).toMatchObject({ reason: 'proxy-unreachable', proxyId: 1 });
    expect(result.kind === 'failure' && result.message).toContain('not on a public address');
  });
});

it('a machine without a socket to spare says so, and blames neither proxy nor site', async () => {
  const short: Resolver = {
    resolve: async (name) =>
      name === 'site.example'
        ? { kind: 'addresses', addresses: [PUBLIC] }
        : { kind: 'no-socket', code: 'EMFILE' },
    close: () => undefined,
  };
  const via = proxy.endpoint(1, { host: 'proxy.example' });
  const result = await fetchVia('http://site.example/', via, { resolver: short });
  expect(result).toMatchObject({ kind: 'failure', reason: 'no-socket' });
});
