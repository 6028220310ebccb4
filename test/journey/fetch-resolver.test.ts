import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseHosts } from '../../src/engine/fetch/hosts-file.ts';
import { createResolver, type Resolver } from '../../src/engine/fetch/resolver.ts';
import { type DnsServer, startDnsServer } from '../origin/dns-server.ts';

let dns: DnsServer;
let directory: string;
let resolver: Resolver;
let nowMs: number;

beforeEach(async () => {
  dns = await startDnsServer();
  directory = await mkdtemp(join(tmpdir(), 'forager-hosts-'));
  nowMs = 1_000_000;
  resolver = createResolver({
    servers: [dns.address],
    hostsPath: join(directory, 'hosts'),
    maxEntries: 3,
    nowMs: () => nowMs,
  });
});

afterEach(async () => {
  resolver.close();
  await dns.close();
  await rm(directory, { recursive: true });
});

const questionsAbout = (name: string) =>
  dns.questions.filter((question) => question.startsWith(`${name} `)).length;

describe('the resolver', () => {
  it('gives IPv4 first and lets the families take turns', async () => {
    dns.set('both.example', { addresses: ['2001:db8::1', '2001:db8::2', '192.0.2.1', '192.0.2.2'] });
    const answer = await resolver.resolve('both.example');
    expect(answer.kind === 'addresses' && answer.addresses.map((address) => address.includes(':'))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('remembers an answer for its time to live, at least half a minute and at most an hour', async () => {
    dns.set('short.example', { addresses: ['192.0.2.1'], ttlSeconds: 1 });
    dns.set('long.example', { addresses: ['192.0.2.1'], ttlSeconds: 1_000_000 });
    await resolver.resolve('short.example');
    await resolver.resolve('long.example');
    nowMs += 29_000;
    await resolver.resolve('short.example');
    expect(questionsAbout('short.example')).toBe(2); // one for each family
    nowMs += 2_000;
    await resolver.resolve('short.example');
    expect(questionsAbout('short.example')).toBe(4);
    nowMs += 3_500_000;
    await resolver.resolve('long.example');
    expect(questionsAbout('long.example')).toBe(2);
    nowMs += 100_000;
    await resolver.resolve('long.example');
    expect(questionsAbout('long.example')).toBe(4);
  });

  it('asks once for requests that come together', async () => {
    dns.set('popular.example', { addresses: ['192.0.2.1'] });
    const names = ['popular.example', 'POPULAR.example', 'popular.example.'];
    const answers = await Promise.all(names.map((name) => resolver.resolve(name)));
    expect(questionsAbout('popular.example')).toBe(2);
    for (const answer of answers) expect(answer).toEqual({ kind: 'addresses', addresses: ['192.0.2.1'] });
  });

  it('remembers for a short while that a name does not exist or cannot be resolved', async () => {
    dns.set('failing.example', { addresses: [], rcode: 5 });
    for (let round = 0; round < 3; round++) {
      expect((await resolver.resolve('missing.example')).kind).toBe('not-found');
      expect((await resolver.resolve('failing.example')).kind).toBe('failed');
    }
    const asked = { missing: questionsAbout('missing.example'), failing: questionsAbout('failing.example') };
    nowMs += 31_000;
    dns.set('missing.example', { addresses: ['192.0.2.7'] });
    dns.set('failing.example', { addresses: ['192.0.2.8'] });
    expect(await resolver.resolve('missing.example')).toMatchObject({ addresses: ['192.0.2.7'] });
    expect(await resolver.resolve('failing.example')).toMatchObject({ addresses: ['192.0.2.8'] });
    expect(asked.missing).toBe(2);
    expect(questionsAbout('failing.example')).toBeGreaterThan(asked.failing);
  });

  it('does not wait for a family that is never answered', async () => {
    dns.set('silent6.example', { addresses: ['192.0.2.1'], silentType: 'AAAA' });
    expect(await resolver.resolve('silent6.example')).toMatchObject({ addresses: ['192.0.2.1'] });
  });

  it('forgets the least recently used names beyond its size', async () => {
    for (const name of ['a', 'b', 'c', 'd']) dns.set(`${name}.example`, { addresses: ['192.0.2.1'] });
    for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await resolver.resolve(`${name}.example`);
    expect(questionsAbout('a.example')).toBe(2);
    expect(questionsAbout('b.example')).toBe(4);
  });

  it('knows localhost and what lies below it without asking anyone', async () => {
    for (const name of ['localhost', 'shop.localhost', 'a.b.localhost.']) {
      expect(await resolver.resolve(name)).toEqual({ kind: 'addresses', addresses: ['127.0.0.1', '::1'] });
    }
    expect(dns.questions).toHaveLength(0);
  });

  it('believes the hosts file before any server, and notices when it changes', async () => {
    const path = join(directory, 'hosts');
    dns.set('printer.example', { addresses: ['192.0.2.1'] });
    await writeFile(path, '10.1.1.1 printer.example printer\n');
    expect(await resolver.resolve('Printer.example')).toMatchObject({ addresses: ['10.1.1.1'] });
    expect(await resolver.resolve('printer')).toMatchObject({ addresses: ['10.1.1.1'] });
    await writeFile(path, '10.2.2.22 printer.example\n');
    nowMs += 6_000;
    expect(await resolver.resolve('printer.example')).toMatchObject({ addresses: ['10.2.2.22'] });
    await rm(path);
    nowMs += 6_000;
    expect(await resolver.resolve('printer.example')).toMatchObject({ addresses: ['192.0.2.1'] });
  });

  it('takes a name that is no name for one that does not exist', async () => {
    const answer = await resolver.resolve(`${'a'.repeat(64)}.example`);
    expect(answer.kind).toBe('not-found');
  });
});

describe('parseHosts', () => {
  it('reads addresses, aliases and comments, and passes over what it cannot read', () => {
    const entries = parseHosts(
      '127.0.0.1\tlocalhost\n::1 localhost ip6-localhost # loopback\n#1.1.1.1 no\nrubbish\r\n',
    );
    expect(Object.fromEntries(entries)).toEqual({
      localhost: ['127.0.0.1', '::1'],
      'ip6-localhost': ['::1'],
    });
  });
});
