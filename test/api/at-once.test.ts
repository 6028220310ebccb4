/** How much of the server one reader can have. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACCESS_LIMITS } from '../../src/api/access-limits.ts';
import { type RunningServer, startServer } from '../../src/cli/serve.ts';
import { createUser } from '../../src/control/access/users.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { PASSWORD } from '../support/people.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

interface Held {
  /** How many wait for what is held. */
  countWaiting(): Promise<number>;
  release(): Promise<void>;
}

/** Whoever asks for domains waits, until they are released. */
async function holdDomains({ url }: TestDatabase): Promise<Held> {
  const db = await openDatabase(loadConfig({ databaseUrl: url, databasePoolSize: 2 }, {}));
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let locked = (): void => undefined;
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const holding = inTransaction(db, async (tx) => {
    await tx.query('lock table domains in access exclusive mode');
    locked();
    await opened;
  });
  await isLocked;
  return {
    countWaiting: async () => {
      const { rows } = await db.query<{ count: number }>(
        `select count(*) as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%"parentDomain"%'`,
      );
      return rows[0]?.count ?? 0;
    },
    release: async () => {
      open();
      await holding;
      await db.close();
    },
  };
}

const CODES_AT_ONCE = [429, 'too-many-at-once', '1'];

describe('requests of one account that are worked on at once', () => {
  let server: TestServer;
  let held: Held;
  beforeEach(async () => {
    const waitingAtOnce = { most: 2, ms: 50 };
    server = await startTestServer(
      {},
      { atOnce: { anonymous: 2, user: 3, bot: 3, admin: 4 }, waitingAtOnce },
    );
    held = await holdDomains(server.database);
  });
  afterEach(async () => {
    await held.release();
    await server.close();
  });

  const untilWaiting = (count: number) =>
    expect.poll(() => held.countWaiting(), { timeout: 20_000, interval: 20 }).toBe(count);

  test.each([
    ['user', 3],
    ['admin', 4],
  ] as const)('are as many as a %s may have; others do not notice', async (role, most) => {
    const client = await server.as(role);
    const asked = Array.from({ length: most }, () => client.get('/api/domains'));
    await untilWaiting(most);
    const refused = await client.get('/api/jobs');
    expect([refused.status, refused.problem?.code, refused.headers.get('retry-after')]).toEqual(
      CODES_AT_ONCE,
    );
    expect((await (await server.as(role)).get('/api/jobs')).status).toBe(200);
    expect((await client.get('/health')).status).toBe(200);
    await held.release();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect((await client.get('/api/jobs')).status).toBe(200);
    held = await holdDomains(server.database);
  });

  test('stay under way when the client hangs up, and make room when the work is done', async () => {
    const key = await server.keyOf('user');
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const ask = (path: string, signal?: AbortSignal) =>
      fetch(new URL(path, server.url), { headers, ...(signal === undefined ? {} : { signal }) });
    const asked = Array.from({ length: 3 }, () => ask('/api/domains', abort.signal));
    await untilWaiting(3);
    abort.abort();
    await Promise.allSettled(asked);
    expect((await ask('/api/jobs')).status).toBe(429);
    await held.release();
    await expect.poll(async () => (await ask('/api/jobs')).status, { timeout: 20_000 }).toBe(200);
    // All three places are there again.
    held = await holdDomains(server.database);
    const again = Array.from({ length: 3 }, () => ask('/api/domains'));
    await untilWaiting(3);
    await held.release();
    for (const answer of await Promise.all(again)) expect(answer.status).toBe(200);
    held = await holdDomains(server.database);
  });

  test('do not include what is kept for everybody: the figures and the documentation', async () => {
    for (const path of ['/api/stats', '/api/docs', '/api/openapi.json']) {
      const asked = Array.from({ length: 10 }, () => server.client().get(path));
      if (path === '/api/stats') await held.release();
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    }
    held = await holdDomains(server.database);
  });

  test('do not include streams, nor what was refused or failed', async () => {
    const key = await server.keyOf('user');
    const headers = { authorization: `Bearer ${key}` };
    const abort = new AbortController();
    for (let n = 0; n < 5; n += 1) {
      const stream = await fetch(new URL('/api/events', server.url), { headers, signal: abort.signal });
      expect(stream.status).toBe(200);
    }
    for (const path of ['/api/jobs?no=1', '/api/jobs/999999', '/api/nothing', '/api/admin/users']) {
      for (let n = 0; n < 4; n += 1) {
        expect((await fetch(new URL(path, server.url), { headers })).status).not.toBe(429);
      }
    }
    expect((await fetch(new URL('/api/jobs', server.url), { headers })).status).toBe(200);
    abort.abort();
  });
});

test('nobody but an administrator can have all of a pool of the usual size', () => {
  const { user, anonymous, bot } = ACCESS_LIMITS.atOnce;
  const { databasePoolSize } = loadConfig({}, {});
  for (const most of [user, anonymous, bot]) expect(most).toBeLessThan(databasePoolSize);
});

describe('a server all of whose connections for answers are taken', () => {
  let database: TestDatabase;
  let server: RunningServer;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createUser(database.db, { username: 'anna', role: 'user', password: PASSWORD }, { name: 'test' });
    const config = loadConfig({ databaseUrl: database.url, port: 0, databasePoolSize: 2 }, {});
    server = await startServer(config, { level: 'silent', stream: { write: () => undefined } });
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  test('still lets people log in, knows who they are, and is well', async () => {
    const logIn = () =>
      fetch(new URL('/api/auth/login', server.url), {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ username: 'anna', password: PASSWORD }),
      });
    const cookie = (await logIn()).headers.get('set-cookie')?.split(';')[0] ?? '';
    const ask = (path: string) => fetch(new URL(path, server.url), { headers: { cookie } });
    const held = await holdDomains(database);
    const asked = [ask('/api/domains'), ask('/api/domains')];
    await expect.poll(() => held.countWaiting(), { timeout: 20_000, interval: 20 }).toBe(2);
    expect((await ask('/api/auth/me')).status).toBe(200);
    expect((await ask('/health')).status).toBe(200);
    expect((await logIn()).status).toBe(200);
    await held.release();
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
  });
});
