/** Requests under an Idempotency-Key. Purging pages takes one: each time it is really done there is one job more. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../../src/api/server.ts';
import { cleanAccess } from '../../src/control/access/clean-access.ts';
import { hashKeyToken, newKeyToken, prefixOfKey } from '../../src/control/access/secrets.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(() => server.database.execute('truncate jobs, idempotency_keys'));

const purge = (
  key: string,
  query: Readonly<Record<string, string>> = { status: '404' },
  client = admin,
): Promise<ApiAnswer> =>
  client.request('DELETE', '/api/admin/pages', { query, headers: { 'idempotency-key': key } });

async function countJobs(): Promise<number> {
  const { rows } = await server.database.db.query<{ count: number }>('select count(*) as count from jobs');
  return rows[0]?.count ?? 0;
}

/** What a client may go by, first and again. */
const seen = ({ status, text, headers }: ApiAnswer) => ({
  ...{ status, text, location: headers.get('location'), type: headers.get('content-type') },
});

describe('the same request with the same key', () => {
  test('is done once and answered the same, byte for byte, however often it is sent', async () => {
    const first = await purge('key-1');
    expect(first.status).toBe(202);
    expect(first.headers.get('location')).toMatch(/^\/api\/jobs\/\d+$/);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    for (let time = 0; time < 2; time += 1) {
      const again = await purge('key-1');
      expect(seen(again)).toEqual(seen(first));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    expect(await countJobs()).toBe(1);
  });

  test('is the same whatever the order of its fields', async () => {
    const first = await purge('key-1', { status: '404', isGone: 'true' });
    const again = await purge('key-1', { isGone: 'true', status: '404' });
    expect(seen(again)).toEqual(seen(first));
    expect(await countJobs()).toBe(1);
  });

  test('is refused the same when it was refused', async () => {
    const first = await purge('key-1', { domain: 'later.example' });
    expect(first.problem).toMatchObject({ status: 404, code: 'unknown-domain' });
    await server.database.execute(
      "insert into domains (domain, parent_domain, base_url) values ('later.example', 'later.example', 'https://later.example')",
    );
    const again = await purge('key-1', { domain: 'later.example' });
    expect(seen(again)).toEqual(seen(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await purge('key-2', { domain: 'later.example' })).status).toBe(202);
  });

  test('is done by one of many that come at once, on whatever server', async () => {
    const other = await createServer(server.parts, { level: 'silent', stream: { write: () => undefined } });
    const url = await other.listen({ host: '127.0.0.1', port: 0 });
    const token = await tokenOf();
    const send = (base: string): Promise<Response> =>
      fetch(`${base}/api/admin/pages?status=404`, {
        method: 'DELETE',
        headers: { authorization: token, 'idempotency-key': 'key-1' },
      });
    const bases = Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? server.url : url));
    const answers = await Promise.all(bases.map(send));
    await other.close();
    expect(await countJobs()).toBe(1);
    const done = answers.filter(({ status }) => status === 202);
    const busy = answers.filter(({ status }) => status === 409);
    expect(done.length + busy.length).toBe(24);
    expect(done.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(new Set(await Promise.all(done.map((answer) => answer.text()))).size).toBe(1);
  });

  test('is told to wait while the first is being worked on', async () => {
    let first: Promise<ApiAnswer> | undefined;
    await inTransaction(server.database.db, async (tx) => {
      await tx.query('lock table pages in access exclusive mode');
      first = purge('key-1');
      for (;;) {
        const { rows } = await tx.query('select from idempotency_keys');
        if (rows.length > 0) break;
      }
      const second = await purge('key-1');
      expect(second.problem).toMatchObject({ status: 409, code: 'busy-key' });
      expect(second.headers.get('retry-after')).toBe('1');
      expect((await purge('key-1', { status: '500' })).problem?.code).toBe('reused-key');
    });
    expect((await first)?.status).toBe(202);
    expect((await purge('key-1')).headers.get('idempotency-replayed')).toBe('true');
    expect(await countJobs()).toBe(1);
  });

  test('is tried again after something went wrong inside', async () => {
    await server.database.execute('alter table jobs rename to jobs_away');
    const failed = await purge('key-1');
    await server.database.execute('alter table jobs_away rename to jobs');
    expect(failed.problem).toMatchObject({ status: 500, code: 'internal' });
    const again = await purge('key-1');
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });

  test('is tried again when the server that was at it has died, but not before its lock has run out', async () => {
    await purge('key-1');
    const leave = (until: string) =>
      server.database.execute(
        `update idempotency_keys set status = null, body = null, location = null, locked_until = now() + $1::interval`,
        [until],
      );
    await leave('10 seconds');
    expect((await purge('key-1')).problem?.code).toBe('busy-key');
    await leave('-1 second');
    expect((await purge('key-1', { status: '500' })).problem?.code).toBe('reused-key');
    expect((await purge('key-1')).status).toBe(202);
    expect(await countJobs()).toBe(2);
  });
});

describe('the same key', () => {
  test('on another request is a mistake', async () => {
    await purge('key-1');
    for (const query of [{ status: '500' }, { status: '404', recrawl: 'true' }]) {
      expect((await purge('key-1', query)).problem).toMatchObject({ status: 422, code: 'reused-key' });
    }
    expect(await countJobs()).toBe(1);
  });

  test('of another account is another key', async () => {
    await purge('key-1');
    const other = await purge('key-1', { status: '404' }, await server.as('admin'));
    expect(other.status).toBe(202);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
    expect(await countJobs()).toBe(2);
  });

  test('means nothing any more after a day, and is forgotten', async () => {
    await purge('key-1');
    await purge('key-2');
    await server.database.execute(
      "update idempotency_keys set created_at = now() - interval '25 hours', locked_until = now() - interval '25 hours'",
    );
    expect((await purge('key-1', { status: '500' })).status).toBe(202);
    await cleanAccess(server.database.db);
    const { rows } = await server.database.db.query('select key from idempotency_keys');
    expect(rows).toEqual([{ key: 'key-1' }]);
  });
});

describe('a key', () => {
  test.each(['x'.repeat(256), 'with space', 'h\u00e9', 'tab\there'])('such as %j is refused', async (key) => {
    expect((await purge(key)).problem).toMatchObject({ status: 400, code: 'bad-idempotency-key' });
    expect(await countJobs()).toBe(0);
  });

  test('of 255 characters is one', async () => {
    expect((await purge('~'.repeat(255))).status).toBe(202);
  });

  test('is not used up by a request that has not the right form, or is not permitted', async () => {
    expect((await purge('key-1', { nonsense: '1' })).problem?.code).toBe('invalid');
    expect((await purge('key-1', { status: '404' }, await server.as('user'))).status).toBe(403);
    expect((await purge('key-1')).headers.get('idempotency-replayed')).toBeNull();
  });

  test('is of no use where requests take none', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await admin.request('GET', '/api/jobs', { headers });
    expect(first.status).toBe(200);
    const { rows } = await server.database.db.query('select from idempotency_keys');
    expect(rows).toHaveLength(0);
  });
});

test('without a key each request is one of its own', async () => {
  for (let time = 0; time < 2; time += 1) {
    expect((await admin.delete('/api/admin/pages', { status: 404 })).status).toBe(202);
  }
  expect(await countJobs()).toBe(2);
});

/** What an administrator shows. */
async function tokenOf(): Promise<string> {
  const token = newKeyToken();
  const { rows } = await server.database.execute<{ id: number }>(
    "insert into users (username, role, password_hash) values ('many', 'admin', '-') returning id",
  );
  await server.database.execute(
    "insert into api_keys (key_hash, prefix, name, user_id, role, scopes, created_by) values ($1, $2, 'many', $3, 'admin', '{manage}', 'test')",
    [hashKeyToken(token), prefixOfKey(token), rows[0]?.id],
  );
  return `Bearer ${token}`;
}
