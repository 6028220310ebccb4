import { EventEmitter, once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, refusalOf } from '../../src/api/refusal.ts';
import { PROBLEMS, type ProblemCode } from '../../src/contract/problems.ts';
import { ConnectionLost, DiskFull, ForagerError } from '../../src/platform/errors.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { startCutOffServer } from '../support/cut-off-server.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());

function linesOf({ log }: TestServer, requestId: string | null): Record<string, unknown>[] {
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter((line) => line.reqId === requestId);
}

/** The line is written when the answer is out, which may be after it was read. */
async function lineOf(from: TestServer, requestId: string | null): Promise<Record<string, unknown>> {
  const find = (): Record<string, unknown> | undefined =>
    linesOf(from, requestId).find((line) => line.msg === 'request');
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

describe('codes of problems', () => {
  test('each is given by some part of the program', async () => {
    const root = fileURLToPath(new URL('../../src', import.meta.url));
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const giving = files.filter(
      (name) => !name.startsWith(`contract${path.sep}`) && !name.includes('openapi'),
    );
    const texts = await Promise.all(giving.map((name) => readFile(path.join(root, name), 'utf8')));
    const sources = texts.join('\n');
    const unused = Object.keys(PROBLEMS).filter((code) => !sources.includes(`'${code}'`));
    expect(unused).toEqual([]);
  });

  test('each has a status that is an error, and a sentence', () => {
    for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
      expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(title.length).toBeGreaterThan(8);
    }
  });
});

describe('what is thrown becomes an answer', () => {
  test.each<[string, unknown, ProblemCode]>([
    ['a refusal', new Refusal('bad-cursor', 'x'), 'bad-cursor'],
    ['an error of control with a code', new ForagerError('unknown-domain', 'x'), 'unknown-domain'],
    ['an error of control with no code that is known here', new ForagerError('odd', 'x'), 'internal'],
    ['a lost database', new ConnectionLost('x'), 'database-unavailable'],
    ['a full disk', new DiskFull('x'), 'disk-full'],
    ['a query that was cancelled', Object.assign(new Error('x'), { code: '57014' }), 'too-slow'],
    ['a database with no connection left', new ForagerError('too-many-connections', 'x'), 'overloaded'],
    ['an objection of the framework', Object.assign(new Error('x'), { statusCode: 400 }), 'bad-request'],
    ['an error of the database', Object.assign(new Error('x'), { code: '42P01' }), 'internal'],
    [
      'a name of an object that every object has',
      Object.assign(new Error('x'), { code: 'toString' }),
      'internal',
    ],
    ['text', 'x', 'internal'],
    ['nothing', undefined, 'internal'],
  ])('%s', (_what, thrown, code) => {
    expect(refusalOf(thrown).code).toBe(code);
  });

  test('a database that cannot be reached is a 503 with a time to come again, and over when it is back', async () => {
    const cutOff = await startCutOffServer();
    try {
      const address = new URL('/api/stats', cutOff.url);
      expect((await fetch(address)).status).toBe(200);
      cutOff.proxy.cut();
      const key = `Bearer fgr_${'x'.repeat(43)}`;
      const answer = await fetch(address, { headers: { authorization: key } });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await answer.json()).toMatchObject({ code: 'database-unavailable' });
      cutOff.proxy.mend();
      await expect.poll(async () => (await fetch(address)).status, { timeout: 20_000 }).toBe(200);
    } finally {
      await cutOff.close();
    }
  });

  test('a question that the database breaks off is a 503 that asks for less', async () => {
    const { db, execute } = server.database;
    const gate = new EventEmitter();
    const locked = inTransaction(db, async (tx) => {
      await tx.query('lock table domains in access exclusive mode');
      const opened = once(gate, 'open');
      gate.emit('shut');
      await opened;
    });
    await once(gate, 'shut');
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query not like 'lock%'`;
    try {
      const asked = admin.get('/api/domains');
      const isWaiting = async (): Promise<boolean> => (await db.query(waiting)).rows.length > 0;
      await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
      // Others may wait for the table as well, and try again.
      const cancel = (): Promise<unknown> =>
        execute(`select pg_cancel_backend(pid) from (${waiting}) as waiting`);
      const cancelling = setInterval(() => void cancel().catch(() => undefined), 100);
      const { status, problem, headers } = await asked.finally(() => clearInterval(cancelling));
      expect(status).toBe(503);
      expect(problem?.code).toBe('too-slow');
      expect(headers.get('retry-after')).toBe('5');
    } finally {
      gate.emit('open');
      await locked;
    }
  });

  test('a defect tells the client nothing of the inside, and the log everything', async () => {
    const broken = await startTestServer();
    try {
      const client = await broken.as('admin');
      await broken.database.execute('alter table domains rename to elsewhere');
      const { status, problem, text, headers } = await client.get('/api/domains');
      expect(status).toBe(500);
      expect(problem?.code).toBe('internal');
      expect(text).not.toMatch(/relation|select|42P01|\.ts|node_modules/);
      expect(problem?.requestId).toBe(headers.get('x-request-id'));
      const [defect] = linesOf(broken, problem?.requestId ?? '').filter(({ msg }) => msg === 'defect');
      expect(JSON.stringify(defect?.err)).toContain('relation');
      expect(defect?.err).toHaveProperty('stack');
    } finally {
      await broken.close();
    }
  });
});

describe('what is not there', () => {
  test('is a 404 with a hint where to look', async () => {
    const { status, problem } = await admin.get('/api/no/such/thing');
    expect(status).toBe(404);
    expect(problem).toMatchObject({ code: 'unknown-route', hint: expect.stringContaining('/api/docs') });
  });

  test('a method that a path does not know is a 405 that names those it knows', async () => {
    const { status, problem, headers } = await admin.request('PUT', '/api/domains');
    expect(status).toBe(405);
    expect(problem?.code).toBe('method-not-allowed');
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const one = await admin.request('POST', '/api/domains/example.com');
    expect(one.headers.get('allow')).toContain('GET');
  });

  test('a path with a slash at its end is the same path', async () => {
    expect((await admin.get('/api/domains/')).status).toBe(200);
  });

  test('OPTIONS names the methods and lets no other origin in', async () => {
    const response = await fetch(new URL('/api/domains', server.url), {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('HEAD is GET without the body', async () => {
    const address = new URL('/api/openapi.json', server.url);
    const get = await fetch(address);
    const head = await fetch(address, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    const refused = await fetch(new URL('/api/domains', server.url), { method: 'HEAD' });
    expect(refused.status).toBe(401);
    await get.text();
  });

  test('a refusal has the headers of every answer', async () => {
    for (const path of ['/api/nothing', '/api/domains', '/%zz']) {
      const { status, headers, problem } = await server.client().get(path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toBe(problem?.requestId);
      expect(problem?.type).toBe(`/api/docs#${problem?.code}`);
    }
  });
});

describe('the log', () => {
  test('has one line for a request: what, how it ended, how long, who and from where', async () => {
    const { headers } = await admin.get('/api/domains', { limit: 3 });
    const line = await lineOf(server, headers.get('x-request-id'));
    expect(line).toMatchObject({ method: 'GET', path: '/api/domains', status: 200, address: '127.0.0.1' });
    expect(line.actor).toMatch(/^user:admin-\d+ \(key \d+\)$/);
    expect(line.ms).toEqual(expect.any(Number));
  });

  test.each(['/api/domains', '/api/nothing', '/%zz'])(
    'no line about %s holds a query, a key or a cookie',
    async (where) => {
      const secret = 'SECRET-in-a-place-where-it-should-not-be';
      const client = server.client({
        authorization: `Bearer ${secret}`,
        cookie: `forager_session=${secret}`,
        'x-request-id': `secrets.${where.length}`,
      });
      await client.request('GET', `${where}?token=${secret}`);
      await lineOf(server, `secrets.${where.length}`);
      expect(server.log.join('')).not.toContain(secret);
    },
  );

  test('a name that the client gave its request is kept, unless it could do harm', async () => {
    const named = await server.client({ 'x-request-id': 'trace-7.a_b' }).get('/api/nothing');
    expect(named.problem?.requestId).toBe('trace-7.a_b');
    for (const bad of ['a b', 'x'.repeat(65), '{"a":1}', '']) {
      const { problem } = await server.client({ 'x-request-id': bad }).get('/api/nothing');
      expect(problem?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('a probe that finds all well leaves no line', async () => {
    const { headers } = await server.client().get('/health');
    await lineOf(server, (await admin.get('/api/domains')).headers.get('x-request-id'));
    expect(linesOf(server, headers.get('x-request-id'))).toEqual([]);
  });
});
