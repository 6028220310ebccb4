import { once } from 'node:events';
import type net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/contract/problems.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { connectTo, hungUp, readAnswer, sendRaw, statusesIn } from '../support/raw-http.ts';

let server: TestServer;
let admin: ApiClient;
let key: string;
beforeAll(async () => {
  server = await startTestServer({}, { connections: 10_000, connectionsPerNetwork: 10_000 });
  admin = await server.as('admin');
  key = await server.keyOf('admin');
});
afterAll(() => server.close());

/** After each of these the server must be as well as before. */
async function expectAlive(one: TestServer = server): Promise<void> {
  const { status } = await one.client().get('/health');
  expect(status).toBe(200);
}

const SEED = '/api/frontier/seed';

function post(body: string, more: readonly string[] = [], path = SEED): string {
  const lines = [
    ...[`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'],
    ...[`Authorization: Bearer ${key}`, 'Connection: close', ...more],
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

describe('bodies', () => {
  test('a body that says it is too large is refused before it is read', async () => {
    // Nothing of it is ever sent: an answer that waits for it would never come.
    const { status, code } = await sendRaw(server.url, post('', ['Content-Length: 104857600']));
    expect([status, code]).toEqual([413, 'body-too-large']);
    await expectAlive();
  });

  test('a body that grows too large without saying so is cut off, not read to its end', async () => {
    const socket = connectTo(server.url);
    socket.write(post('', ['Transfer-Encoding: chunked']));
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    let sent = 0;
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    const isOver = (): boolean => socket.destroyed || readAnswer(text).status !== undefined;
    while (!isOver() && sent < 512 * 1024 * 1024) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      const isDrained = socket.write('\r\n');
      sent += chunk.length;
      if (!isDrained) await Promise.race([drained(socket), pause(50)]);
    }
    socket.destroy();
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    expect([413, undefined]).toContain(readAnswer(text).status);
    await expectAlive();
  });

  test.each([
    ['arrays in arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects in objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['deep in a known field', `{"urls":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['as many values as fit', `{"urls":[${Array.from({ length: 300_000 }, () => '1').join(',')}]}`],
  ])('JSON of %s is refused', async (_what, body) => {
    const { status, problem } = await admin.post(SEED, body);
    expect([status, problem?.code]).toEqual([400, 'invalid']);
    await expectAlive();
  });

  test.each([
    ['{', 'bad-json'],
    ['{"urls":["a"],}', 'bad-json'],
    ['{"urls":[],"__proto__":{"isAdmin":true}}', 'invalid'],
    ['{"urls":[],"constructor":{"prototype":{"isAdmin":true}}}', 'invalid'],
    ['{"urls":[],"constructor":1}', 'invalid'],
    ['null', 'invalid'],
    ['[]', 'invalid'],
    ['"text"', 'invalid'],
    ['1e999', 'invalid'],
    ['', 'invalid'],
    ['{"urls":["https://a.example/\\u0000"]}', 'invalid'],
    ['{"urls":["https://a.example/\\ud800"]}', 'invalid'],
    ['{"urls":[],"\\u0000":1}', 'invalid'],
  ])('the body %s is refused as %s', async (body, code) => {
    const { status, problem } = await admin.request('POST', SEED, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, problem?.code]).toEqual([400, code]);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  test('a body that is not UTF-8 is not JSON', async () => {
    const body = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
    const { status, code } = await sendRaw(server.url, [post('', ['Content-Length: 4']), body]);
    expect([status, code]).toEqual([400, 'bad-json']);
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/vnd.api+json', 415],
    ['application/jsonx', 415],
    ['text/json', 415],
    ['application/json; charset=utf-16', 415],
    ['nonsense', 415],
    ['application/json, text/plain', 415],
    ['application/json; charset=UTF-8', 400],
    ['APPLICATION/JSON', 400],
  ])('of a body that is %s the answer is %i', async (type, status) => {
    const answer = await admin.request('POST', SEED, { body: '{}', headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
    expect(answer.problem?.code).toBe(status === 415 ? 'not-json' : 'invalid');
    if (status === 415) expect(answer.problem?.hint).toContain('Content-Type: application/json');
  });
});

describe('requests that are none', () => {
  const GET = 'GET /health HTTP/1.1\r\nHost: localhost\r\n';

  test.each<[string, string, number, string | undefined]>([
    ['that is not HTTP', 'nonsense\r\n\r\n', 400, 'bad-request'],
    ['with headers that are too large', `${GET}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
    ['with a path that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'headers-too-large'],
    ['with too many headers', `${GET}${'A: b\r\n'.repeat(200)}\r\n`, 431, 'headers-too-large'],
    ['with two lengths', `${GET}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400, 'bad-request'],
    ['with a length that is none', `${GET}Content-Length: ten\r\n\r\n`, 400, 'bad-request'],
    ['with a negative length', `${GET}Content-Length: -1\r\n\r\n`, 400, 'bad-request'],
    [
      'with a length and chunks',
      'POST /api/frontier/seed HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n',
      400,
      'bad-request',
    ],
    [
      'with an encoding after chunked',
      'POST /api/frontier/seed HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
      400,
      'bad-request',
    ],
    ['with a space before a colon', `${GET}Transfer-Encoding : chunked\r\n\r\n`, 400, 'bad-request'],
    ['with a lone line feed in a header', `${GET}A: b\nC: d\r\n\r\n`, 400, 'bad-request'],
    ['with NUL in a header', `${GET}A: b\0c\r\n\r\n`, 400, 'bad-request'],
    ['with a method nobody knows', 'FROBNICATE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'bad-request'],
    ['of another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad-request'],
    ['without a host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad-request'],
  ])('one %s is refused and its connection closed', async (_what, bytes, status, code) => {
    const answer = await sendRaw(server.url, bytes, (text) => text.includes('"code"'));
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(statusesIn(answer.text)).toHaveLength(1);
    await expectAlive();
  });

  test('an HTTP/1.0 client gets its answer and is hung up on', async () => {
    const { status, text } = await sendRaw(server.url, 'GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n');
    expect(status).toBe(200);
    expect(text).toContain('"status"');
  });

  test('an address in full is taken as the path in it', async () => {
    const bytes = 'GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect((await sendRaw(server.url, bytes)).status).toBe(200);
  });

  test.each(['TRACE', 'PROPFIND', 'PUT'])('%s is not allowed where only GET is', async (method) => {
    const bytes = `${method} /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const { status, code } = await sendRaw(server.url, bytes);
    expect([status, code]).toEqual([405, 'method-not-allowed']);
  });

  test('nobody is connected to somewhere else', async () => {
    const bytes = 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n';
    expect((await sendRaw(server.url, bytes)).status).not.toBe(200);
    await expectAlive();
  });

  test('an expectation that cannot be met is refused', async () => {
    const bytes = `${GET}Expect: miracles\r\nConnection: close\r\n\r\n`;
    const { status, code } = await sendRaw(server.url, bytes);
    expect([status, code]).toEqual([417, 'bad-expectation']);
  });

  test.each([
    '/%',
    '/%zz',
    '/api/domains/%E0%A4%A',
    '/api/domains/%00',
    '/api/domains/%ED%A0%80',
    '/%2e%2e/%2e%2e',
  ])('the path %s is refused', async (path) => {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    const { status, code } = await sendRaw(server.url, bytes);
    expect([400, 404]).toContain(status);
    expect(Object.keys(PROBLEMS)).toContain(code);
  });

  test('a query of as many fields as fit is refused, by name', async () => {
    const query = Array.from({ length: 1000 }, (_, index) => `f${index}=1`).join('&');
    const { problem } = await admin.get(`/api/domains?${query}`);
    expect(problem?.code).toBe('invalid');
    expect(problem?.errors?.length).toBeLessThanOrEqual(20);
  });

  test('requests sent one behind the other are answered in their order', async () => {
    const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const all = Array.from({ length: 50 }, (_, index) => one(index % 2 === 0 ? '/health' : '/api/nothing'));
    const isComplete = (seen: string): boolean => statusesIn(seen).length === 50 && seen.endsWith('}');
    const { text } = await sendRaw(server.url, all.join(''), isComplete);
    expect(statusesIn(text)).toEqual(all.map((_, index) => (index % 2 === 0 ? 200 : 404)));
  });

  test('another request hidden in a body that is refused is not answered', async () => {
    const hidden = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const bytes = `POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
    const { text } = await sendRaw(server.url, bytes, (seen) => seen.includes('"code"'));
    expect(statusesIn(text)).toHaveLength(1);
  });
});

describe('clients that take their time', () => {
  let hasty: TestServer;
  beforeAll(async () => {
    hasty = await startTestServer(
      {},
      { headersTimeoutMs: 300, requestTimeoutMs: 600, checkEveryMs: 50, stalledMs: 1000, keepAliveMs: 300 },
    );
  });
  afterAll(() => hasty.close());

  /** Sends a byte now and then until it is hung up on. */
  async function drip(socket: net.Socket, byte: string): Promise<string> {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    const timer = setInterval(() => socket.write(byte), 20);
    await hungUp(socket).finally(() => clearInterval(timer));
    socket.destroy();
    return text;
  }

  test('headers that never end are not waited for', async () => {
    const sockets = Array.from({ length: 100 }, () => connectTo(hasty.url));
    for (const socket of sockets) socket.write('GET /health HTTP/1.1\r\nX: ');
    const answers = await Promise.all(sockets.map((socket) => drip(socket, 'x')));
    for (const text of answers) expect([408, undefined]).toContain(readAnswer(text).status);
    expect(answers.some((text) => readAnswer(text).code === 'request-timeout')).toBe(true);
    await expectAlive(hasty);
  });

  test('a body that never ends is not waited for', async () => {
    const token = await hasty.keyOf('admin');
    const socket = connectTo(hasty.url);
    socket.write(
      `POST ${SEED} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
    );
    expect([408, undefined]).toContain(readAnswer(await drip(socket, ' ')).status);
    await expectAlive(hasty);
  });

  test('a connection on which nothing is asked is closed', async () => {
    const socket = connectTo(hasty.url);
    socket.resume();
    await hungUp(socket);
    socket.destroy();
  });

  test('clients that ask and never read are hung up on', async () => {
    const sockets = Array.from({ length: 20 }, () => connectTo(hasty.url));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const ask = 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200);
    const ends = sockets.map((socket) => {
      socket.pause();
      socket.write(ask);
      return hungUp(socket);
    });
    // Whoever is not read from notices by what happens to their writing.
    const timer = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write('\r\n');
    }, 50);
    await Promise.all(ends).finally(() => clearInterval(timer));
    await expectAlive(hasty);
  });
});

describe('many clients at once', () => {
  test('thousands of idle and busy connections are served, and memory stays in bounds', async () => {
    const PATHS = ['/health', '/api/docs/docs.css', '/api/domains', '/api/nothing', '/%zz'];
    const before = process.memoryUsage().rss;
    const idle = Array.from({ length: 2000 }, () => connectTo(server.url));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const busy = Array.from({ length: 2000 }, (_, index) =>
      sendRaw(
        server.url,
        `GET ${PATHS[index % PATHS.length]} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ),
    );
    const statuses = new Set((await Promise.all(busy)).map(({ status }) => status));
    // A database that cannot keep up may say so.
    for (const status of statuses) expect([200, 400, 401, 404, 503]).toContain(status);
    await expectAlive();
    for (const socket of idle) socket.destroy();
    await expectAlive();
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 1024 * 1024);
  });

  test('more connections than there may be are not let in, and those that are in go on', async () => {
    const small = await startTestServer({}, { connections: 50 });
    try {
      const sockets = Array.from({ length: 50 }, () => connectTo(small.url));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const [first, ...others] = sockets;
      const { status } = await sendRaw(small.url, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(status).toBeUndefined();
      first?.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      const [bytes] = first === undefined ? [] : ((await once(first, 'data')) as [Buffer]);
      expect(bytes?.toString('latin1')).toMatch(/^HTTP\/1\.1 200/);
      for (const socket of others) socket.destroy();
      first?.destroy();
      await expect
        .poll(
          async () =>
            (await sendRaw(small.url, 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'))
              .status,
        )
        .toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe('many connections of one client', () => {
  const GET = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

  async function openAll(url: string, count: number): Promise<net.Socket[]> {
    const sockets = Array.from({ length: count }, () => connectTo(url));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  }

  test('are let in up to its share, and again when it has closed some', async () => {
    const small = await startTestServer({}, { connections: 100, connectionsPerNetwork: 10 });
    try {
      const sockets = await openAll(small.url, 10);
      expect((await sendRaw(small.url, GET)).status).toBeUndefined();
      const [first] = sockets;
      first?.write(GET);
      const [bytes] = first === undefined ? [] : ((await once(first, 'data')) as [Buffer]);
      expect(bytes?.toString('latin1')).toMatch(/^HTTP\/1\.1 200/);
      for (const socket of sockets) socket.destroy();
      await expect.poll(async () => (await sendRaw(small.url, GET)).status).toBe(200);
    } finally {
      await small.close();
    }
  });

  test('are everybody where it is a trusted proxy', async () => {
    const small = await startTestServer(
      { trustedProxies: ['127.0.0.1'] },
      { connections: 100, connectionsPerNetwork: 10 },
    );
    try {
      const sockets = await openAll(small.url, 50);
      expect((await sendRaw(small.url, GET)).status).toBe(200);
      for (const socket of sockets) socket.destroy();
    } finally {
      await small.close();
    }
  });
});

function drained(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
