/** Whom the fetcher refuses to speak to, proved with real name servers and real listening sockets. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { createResolver, type Resolver } from '../../src/engine/fetch/resolver.ts';
import { type DnsServer, startDnsServer } from '../origin/dns-server.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';

let origin: Origin;
let dns: DnsServer;
let resolver: Resolver;
let careful: Fetcher;
let trusting: Fetcher;

beforeAll(async () => {
  origin = await startOrigin();
  origin.site('127.0.0.1', { pages: { '/': 'by address' } });
  origin.site('inside.example', { pages: { '/': 'by name' } });
  dns = await startDnsServer();
  dns.set('inside.example', { addresses: ['127.0.0.1'] });
  dns.set('metadata.example', { addresses: ['169.254.169.254', '10.0.0.1', 'fd00:ec2::254'] });
  dns.set('broken.example', { addresses: [], rcode: 2 });
  dns.set('nothing.example', { addresses: [] });
  resolver = createResolver({ servers: [dns.address], hostsPath: '/nonexistent/hosts' });
  careful = createTestFetcher({ allowPrivate: false, resolver });
  trusting = createTestFetcher({ resolver });
});

afterAll(async () => {
  await careful.close();
  await trusting.close();
  resolver.close();
  await dns.close();
  await origin.close();
});

describe('without --allow-private', () => {
  it.each([
    ['127.0.0.1'],
    ['127.1'],
    ['2130706433'],
    ['0x7f000001'],
    ['0177.0.0.1'],
    ['0'],
    ['127.0.0.1.'],
    ['[::1]'],
    ['[::ffff:127.0.0.1]'],
    ['[::ffff:7f00:1]'],
    ['localhost'],
    ['LOCALHOST'],
    ['a.b.localhost'],
    ['\uff11\uff12\uff17.0.0.1'],
    ['inside.example'],
    ['metadata.example'],
  ])('refuses http://%s/', async (host) => {
    const result = await careful.fetch(pageRequest(`http://${host}:${origin.port}/`));
    expect(result).toMatchObject({ kind: 'failure', reason: 'private-address' });
    expect(result.kind === 'failure' && result.message).toContain('--allow-private');
    expect(origin.requests).toHaveLength(0);
  });

  it('says which name led to which address', async () => {
    const result = await careful.fetch(pageRequest('http://inside.example/'));
    expect(result).toMatchObject({ message: expect.stringMatching(/inside\.example.*127\.0\.0\.1/) });
  });
});

describe('with --allow-private', () => {
  it('speaks to loopback by address and by name, and says which address it was', async () => {
    const byAddress = await trusting.fetch(pageRequest(origin.url('/')));
    expect(expectResponse(byAddress).body.toString()).toBe('by address');
    const byName = await trusting.fetch(pageRequest(`http://inside.example:${origin.port}/`));
    expect(expectResponse(byName)).toMatchObject({ remoteAddress: '127.0.0.1' });
  });

  it('connects to the very answer it vetted: a name that changes its answer is not asked again', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.9']];
    let asked = 0;
    const rebinding: Resolver = {
      resolve: async () => ({ kind: 'addresses', addresses: answers[asked++] ?? [] }),
      close: () => {},
    };
    const fetcher = createTestFetcher({ resolver: rebinding });
    origin.site('rebind.example', { pages: { '/': 'pinned' } });
    for (let round = 0; round < 3; round++) {
      const result = await fetcher.fetch(pageRequest(`http://rebind.example:${origin.port}/`));
      expect(expectResponse(result)).toMatchObject({ remoteAddress: '127.0.0.1' });
    }
    expect(asked).toBe(1);
    await fetcher.close();
  });

  it('tries the next address when one refuses', async () => {
    dns.set('several.example', { addresses: ['127.0.0.9', '127.0.0.1'] });
    origin.site('several.example', { pages: { '/': 'second try' } });
    const result = await trusting.fetch(pageRequest(`http://several.example:${origin.port}/`));
    expect(expectResponse(result)).toMatchObject({ remoteAddress: '127.0.0.1' });
  });
});

describe('what cannot be reached', () => {
  it.each([
    ['not a url'],
    [''],
    ['file:///etc/passwd'],
    ['ftp://example.com/'],
    ['javascript:alert(1)'],
    ['gopher://127.0.0.1:25/'],
    ['http://'],
    ['//example.com/'],
  ])('is a bad URL: %j', async (url) => {
    expect(await trusting.fetch(pageRequest(url))).toMatchObject({ kind: 'failure', reason: 'bad-url' });
  });

  it('is a name that does not exist, or has no address', async () => {
    for (const name of ['missing.example', 'nothing.example']) {
      const result = await trusting.fetch(pageRequest(`http://${name}/`));
      expect(result).toMatchObject({ kind: 'failure', reason: 'dns-not-found' });
      expect(result.kind === 'failure' && result.message).toContain(name);
    }
  });

  it('is a name whose servers fail', async () => {
    const result = await trusting.fetch(pageRequest('http://broken.example/'));
    expect(result).toMatchObject({ kind: 'failure', reason: 'dns-failed' });
  });

  it('is a port nobody listens on', async () => {
    const closed = await startOrigin();
    await closed.close();
    expect(await trusting.fetch(pageRequest(closed.url('/')))).toMatchObject({ reason: 'connect-refused' });
  });

  it('is a name server that never answers, at the deadline of the exchange', async () => {
    const silent: Resolver = { resolve: () => new Promise(() => {}), close: () => {} };
    const fetcher = createTestFetcher({ resolver: silent });
    const result = await fetcher.fetch(pageRequest('http://silent.example/', { timeoutMs: 100 }));
    expect(result).toMatchObject({ kind: 'failure', reason: 'dns-failed' });
    await fetcher.close();
  });

  it('is a server that accepts no connection in time', async () => {
    const full = await listenWithoutAccepting();
    const fetcher = createTestFetcher({ connectTimeoutMs: 100 });
    const result = await fetcher.fetch(pageRequest(`https://127.0.0.1:${full.port}/`));
    expect(result).toMatchObject({ kind: 'failure', reason: 'connect-timeout' });
    await fetcher.close();
    full.server.close();
  });
});

/** TCP connects, but the TLS handshake is never answered. */
async function listenWithoutAccepting(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}

describe('ports of other services', () => {
  it.each([22, 25, 6667, 10_080])('refuses port %i, whatever else is allowed', async (port) => {
    const result = await trusting.fetch(pageRequest(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'failure', reason: 'bad-port' });
    expect(result).toMatchObject({ message: expect.stringContaining(`Port ${port}`) });
  });
});
