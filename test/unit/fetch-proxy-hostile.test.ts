/** What no honest proxy says: endless, broken, slow or too much. Every exchange ends, with the right party blamed. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type ScriptedProxy, startScriptedProxy } from '../support/proxies-scripted.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../origin/fixtures/${name}`, import.meta.url), 'utf8');
const tls = { key: readFixture('secure-localhost.key.pem'), cert: readFixture('secure-localhost.cert.pem') };

let secure: Origin;
let plain: Origin;
let fetcher: Fetcher;
let proxy: ScriptedProxy | undefined;

beforeAll(async () => {
  plain = await startOrigin();
  plain.site('secure', { pages: { '/*': 'open' } });
  secure = await startOrigin({ tls });
  secure.site('secure', { pages: { '/*': 'secret' } });
  fetcher = createTestFetcher({ ca: tls.cert, connectTimeoutMs: 400 });
});

afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

afterAll(async () => {
  await fetcher.close();
  await plain.close();
  await secure.close();
});

type Talk = (socket: net.Socket, said: Buffer) => void;

async function fetchThrough(talk: Talk, changes: Partial<ProxyEndpoint> = {}, origin = secure) {
  proxy = await startScriptedProxy(talk);
  const via = proxy.endpoint(1, changes);
  return await fetcher.fetch(pageRequest(origin.hostUrl('secure', '/'), { via, timeoutMs: 5_000 }));
}

/** Once, when the client has said all of its question. */
function answering(answer: string | Buffer): Talk {
  return (socket, said) => {
    if (said.toString('latin1').endsWith('\r\n\r\n')) socket.write(answer, 'latin1');
  };
}

async function drip(socket: net.Socket, bytes: Buffer, everyMs: number): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of bytes) {
    if (socket.destroyed) return;
    socket.write(Buffer.from([byte]));
    await wait(everyMs);
  }
}

/** From now on the two are one connection. */
function join(socket: net.Socket, port: number): void {
  const onward = net.connect(port, '127.0.0.1');
  onward.on('error', () => socket.destroy());
  socket.removeAllListeners('data');
  socket.pipe(onward).pipe(socket);
}

describe('to CONNECT', () => {
  it.each<[string, string | Buffer]>([
    ['garbage', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['zeros', Buffer.alloc(64)],
    ['a status that is none', 'HTTP/1.1 2000 Fine\r\n\r\n'],
    ['another version', 'HTTP/2 200\r\n\r\n'],
    ['a header block larger than any', `HTTP/1.1 200 OK\r\nX-Padding: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a header block without end', `HTTP/1.1 200 OK\r\n${'X-More: of the same\r\n'.repeat(2_000)}`],
    ['interim answers for ever', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
  ])('%s is no answer', async (what, answer) => {
    const result = await fetchThrough(answering(answer));
    const reason = what.startsWith('interim') ? 'proxy-tunnel' : 'proxy-protocol';
    expect(result).toMatchObject({ kind: 'failure', reason, proxyId: 1 });
  });

  it('nothing but a closed connection is no answer', async () => {
    const result = await fetchThrough((socket) => socket.end());
    expect(result).toMatchObject({ reason: 'proxy-protocol', proxyId: 1 });
  });

  it('half an answer before closing is no answer', async () => {
    const result = await fetchThrough((socket) => socket.end('HTTP/1.1 200 OK\r\nX-Half: '));
    expect(result).toMatchObject({ reason: 'proxy-protocol', proxyId: 1 });
  });

  it('silence ends with the time for a connection', async () => {
    expect(await fetchThrough(() => undefined)).toMatchObject({ reason: 'proxy-unreachable', proxyId: 1 });
  });

  it('one byte now and then does not stretch the time for a connection', async () => {
    const answer = Buffer.from(`HTTP/1.1 200 OK\r\nX-Slow: ${'a'.repeat(500)}\r\n\r\n`);
    const result = await fetchThrough((socket) => void drip(socket, answer, 20));
    expect(result).toMatchObject({ reason: 'proxy-unreachable', proxyId: 1 });
  });

  it('a good answer may come in single bytes, after an interim one, with headers that mean nothing here', async () => {
    const answer =
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.0 200 Connection established\r\nContent-Length: 5\r\n\r\n';
    let isAnswered = false;
    const result = await fetchThrough((socket) => {
      if (isAnswered) return;
      isAnswered = true;
      socket.pause();
      void drip(socket, Buffer.from(answer), 1).then(() => {
        join(socket, secure.port);
        socket.resume();
      });
    });
    expect(expectResponse(result).body.toString()).toBe('secret');
  });

  it('a tunnel that closes at once is a site that hangs up', async () => {
    const result = await fetchThrough((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(result).toMatchObject({ kind: 'failure', proxyId: 1 });
    expect(['dropped', 'tls-failed']).toContain(result.kind === 'failure' && result.reason);
  });

  it('bytes beyond the answer belong to the tunnel: there they are no TLS', async () => {
    const result = await fetchThrough(answering('HTTP/1.1 200 OK\r\n\r\nand more that nobody asked for'));
    expect(result).toMatchObject({ reason: 'tls-failed', proxyId: 1 });
  });

  it.each([
    ['403 Forbidden', 'proxy-tunnel'],
    ['302 Found', 'proxy-tunnel'],
    ['502 Bad Gateway', 'proxy-tunnel'],
    ['407 Proxy Authentication Required', 'proxy-auth'],
    ['401 Unauthorized', 'proxy-auth'],
  ])('%s is a refusal', async (line, reason) => {
    const result = await fetchThrough(answering(`HTTP/1.1 ${line}\r\nContent-Length: 900000\r\n\r\nbody`));
    expect(result).toMatchObject({ reason, proxyId: 1 });
  });

  it('a reason that moves the cursor of whoever reads it is told without that', async () => {
    const result = await fetchThrough(answering('HTTP/1.1 500 \x1b[2Jgone\x07\r\n\r\n'));
    expect(result.kind === 'failure' && result.message).toContain('(500 [2Jgone)');
  });
});

describe('to SOCKS5', () => {
  const script = (...answers: Buffer[]): Talk => {
    let turn = 0;
    return (socket) => void (answers[turn] && socket.write(answers[turn++] ?? ''));
  };
  const socks = { protocol: 'socks5' } as const;

  it.each<[string, Buffer[], string]>([
    ['another version', [Buffer.from([4, 0])], 'proxy-protocol'],
    ['an HTTP answer', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')], 'proxy-protocol'],
    ['a method that was not offered', [Buffer.from([5, 2])], 'proxy-protocol'],
    ['no acceptable method', [Buffer.from([5, 0xff])], 'proxy-auth'],
    [
      'a reply of another version',
      [Buffer.from([5, 0]), Buffer.from([1, 0, 0, 1, 0, 0, 0, 0, 0, 0])],
      'proxy-protocol',
    ],
    [
      'an address of no kind',
      [Buffer.from([5, 0]), Buffer.from([5, 0, 0, 9, 0, 0, 0, 0, 0, 0])],
      'proxy-protocol',
    ],
    ['host unreachable, and not a byte more', [Buffer.from([5, 0]), Buffer.from([5, 4])], 'proxy-tunnel'],
    ['an unknown reply', [Buffer.from([5, 0]), Buffer.from([5, 0x77, 0, 1])], 'proxy-tunnel'],
    ['half a reply', [Buffer.from([5, 0]), Buffer.from([5, 0, 0, 3, 200, 1, 2])], 'proxy-unreachable'],
  ])('%s ends the exchange', async (_what, answers, reason) => {
    for (const origin of [plain, secure]) {
      const result = await fetchThrough(script(...answers), socks, origin);
      expect(result).toMatchObject({ kind: 'failure', reason, proxyId: 1 });
      await proxy?.close();
      proxy = undefined;
    }
  });

  it.each([0x01, 0x05])(
    'a refused password is told as such, whatever version %i the verdict names',
    async (version) => {
      const talk = script(Buffer.from([5, 2]), Buffer.from([version, 1]));
      const result = await fetchThrough(talk, { ...socks, username: 'me', password: 'hush-hush' });
      expect(result).toMatchObject({ reason: 'proxy-auth', proxyId: 1 });
      expect(result.kind === 'failure' && result.message).not.toMatch(/hush|\bme\b/);
      expect(proxy?.told[0]?.toString('hex')).toBe(
        `05020002${Buffer.from('\x01\x02me\x09hush-hush', 'latin1').toString('hex')}`,
      );
    },
  );

  it('a password that does not fit is not sent in part', async () => {
    const result = await fetchThrough(() => undefined, {
      ...socks,
      username: 'me',
      password: 'ä'.repeat(128),
    });
    expect(result).toMatchObject({ reason: 'proxy-auth', proxyId: 1 });
    expect(proxy?.told.join('')).toBe('');
  });

  it('a good reply may come in single bytes, with a name as its address', async () => {
    let turn = 0;
    const result = await fetchThrough(
      (socket) => {
        if (turn++ === 0) void drip(socket, Buffer.from([5, 0]), 1);
        if (turn !== 2) return;
        socket.pause();
        void drip(socket, Buffer.from([5, 0, 0, 3, 2, 97, 98, 0, 80]), 1).then(() => {
          join(socket, plain.port);
          socket.resume();
        });
      },
      socks,
      plain,
    );
    expect(expectResponse(result).body.toString()).toBe('open');
  });
});

describe('in absolute form', () => {
  it('garbage from what is no proxy is told as such', async () => {
    const result = await fetchThrough(answering('220 mail.example ESMTP\r\n'), {}, plain);
    expect(result).toMatchObject({ reason: 'proxy-protocol', proxyId: 1 });
  });

  it('one that always hangs up is no proxy', async () => {
    const result = await fetchThrough((socket) => socket.end(), {}, plain);
    expect(result).toMatchObject({ reason: 'proxy-protocol', proxyId: 1 });
  });

  it('endless headers end the exchange, and the site is to blame: they may well be its own', async () => {
    const result = await fetchThrough(
      (socket, said) => {
        const isAsked = said.toString('latin1').startsWith('GET');
        if (!isAsked) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        socket.write('HTTP/1.1 200 OK\r\n');
        for (let i = 0; i < 20; i++) socket.write(`X-Padding: ${'a'.repeat(8_000)}\r\n`);
      },
      {},
      plain,
    );
    expect(result).toMatchObject({ reason: 'protocol-error', proxyId: 1 });
  });

  it('credentials that would break a header are sent all the same, as base64', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/html\r\n\r\nok';
    const changes = { username: 'a\r\nb', password: 'ü:\n' };
    expectResponse(await fetchThrough(answering(answer), changes, plain));
    const expected = Buffer.from('a\r\nb:ü:\n', 'utf8').toString('base64');
    expect(proxy?.told[0]?.toString('latin1')).toContain(`\r\nproxy-authorization: Basic ${expected}\r\n`);
  });
});
