/** This machine is short of sockets: whatever was to be asked is not blamed for it. */
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineEvents } from '../../src/engine/events.ts';
import { createFetcher } from '../../src/engine/fetch/fetcher.ts';
import { createResolver, type Resolver } from '../../src/engine/fetch/resolver.ts';
import { judgeFetch } from '../../src/engine/outcome.ts';
import { SocketShortage } from '../../src/engine/socket-shortage.ts';
import { pageRequest } from '../origin/fetch-from.ts';
import { makeSession } from '../support/crawl-session.ts';

/** What becomes of a connection to an address, by its last number; the code of an error. */
const fates = vi.hoisted(() => ({
  byAddress: new Map<string, string>(),
  openFails: undefined as string | undefined,
}));

function failWith(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

vi.mock('node:net', async (original) => {
  const net = await original<typeof import('node:net')>();
  const connect = ({ host }: { host: string }): Socket => {
    const socket = new Socket();
    const code = fates.byAddress.get(host) ?? 'ECONNREFUSED';
    process.nextTick(() => socket.destroy(Object.assign(new Error(code), { code })));
    return socket;
  };
  return { ...net, connect };
});
vi.mock('node:dns/promises', () => ({
  Resolver: class {
    async resolve4(): Promise<never> {
      throw failWith('ECONNREFUSED');
    }
    async resolve6(): Promise<never> {
      throw failWith('ECONNREFUSED');
    }
    cancel(): void {}
  },
  lookup: async () => {
    throw failWith('ENOTFOUND');
  },
}));
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof import('node:fs/promises')>();
  const open: typeof files.open = async (...given) => {
    if (fates.openFails !== undefined) throw failWith(fates.openFails);
    return files.open(...given);
  };
  return { ...files, open };
});

beforeEach(() => {
  fates.byAddress.clear();
  fates.openFails = undefined;
});

function resolverOf(addresses: readonly string[]): Resolver {
  return { resolve: async () => ({ kind: 'addresses', addresses }), close: () => undefined };
}

async function fetchFrom(resolver: Resolver) {
  const limits = { maxConnectionsPerOrigin: 1, maxOrigins: 1, connectTimeoutMs: 5000 };
  const fetcher = createFetcher({ allowPrivate: true, resolver, ...limits });
  const result = await fetcher.fetch(pageRequest('http://a.example/'));
  await fetcher.close();
  return result;
}

describe('a connection', () => {
  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])(
    'that fails by %s is our failure',
    async (code) => {
      fates.byAddress.set('10.0.0.1', code);
      const result = await fetchFrom(resolverOf(['10.0.0.1']));
      expect(result).toMatchObject({ kind: 'failure', reason: 'no-socket' });
      expect(result).toMatchObject({ message: expect.stringContaining(code) });
      expect(judgeFetch(result, new Date())).toMatchObject({ kind: 'aborted', fetchFailure: 'no-socket' });
    },
  );

  test('to an IPv6 address on a machine that has none says nothing about sockets', async () => {
    fates.byAddress.set('2001:db8::1', 'EADDRNOTAVAIL');
    expect(await fetchFrom(resolverOf(['2001:db8::1']))).toMatchObject({ reason: 'connect-failed' });
  });

  test('is ours as long as one address could not be asked, whatever the others said', async () => {
    fates.byAddress.set('10.0.0.1', 'ECONNREFUSED').set('10.0.0.2', 'EMFILE');
    expect(await fetchFrom(resolverOf(['10.0.0.1', '10.0.0.2']))).toMatchObject({ reason: 'no-socket' });
    expect(await fetchFrom(resolverOf(['10.0.0.2', '10.0.0.1']))).toMatchObject({ reason: 'no-socket' });
    expect(await fetchFrom(resolverOf(['10.0.0.1', '10.0.0.3']))).toMatchObject({
      reason: 'connect-refused',
    });
  });
});

describe('a name', () => {
  test('that could not be asked for is not unknown, and is asked for again at once', async () => {
    const resolver = createResolver({ hostsPath: '/nonexistent/hosts' });
    fates.openFails = 'EMFILE';
    expect(await resolver.resolve('a.example')).toEqual({ kind: 'no-socket', code: 'EMFILE' });
    expect(await fetchFrom(resolver)).toMatchObject({ reason: 'no-socket' });
    fates.openFails = undefined;
    expect(await resolver.resolve('a.example')).toMatchObject({ kind: 'failed' });
  });
});

describe('the operator', () => {
  afterEach(() => void vi.useRealTimers());

  test('hears of it once a minute, however often it happens, and every domain waits', () => {
    vi.useFakeTimers({ toFake: ['performance'], now: 0 });
    const events = new EngineEvents();
    const heard: string[] = [];
    events.on('sockets:short', ({ message }) => void heard.push(message));
    const shortage = new SocketShortage(events);
    const sessions = [makeSession(), makeSession()];
    for (let n = 0; n < 50; n += 1) for (const session of sessions) shortage.note(session, `no ${n}`);
    expect(heard).toEqual(['no 0']);
    for (const session of sessions)
      expect(session.gate.readyAtMs(performance.now())).toBeGreaterThan(performance.now());
    vi.advanceTimersByTime(60_001);
    for (const session of sessions) shortage.note(session, 'still none');
    expect(heard).toEqual(['no 0', 'still none']);
  });
});
