/** Guessing passwords. Each test has a server of its own: the address of all clients is the same. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cleanAccess } from '../../src/control/access/clean-access.ts';
import { type ApiAnswer, startTestServer, type TestServer } from '../support/api.ts';
import { advance } from '../support/moving-clock.ts';
import { addPerson, enter, logInAs, PASSWORD } from '../support/people.ts';

const PROXIED = { trustedProxies: ['127.0.0.1'] };

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(PROXIED);
});
afterEach(() => server.close());

function guess(username: string, address = '203.0.113.1', password = 'not the password'): Promise<ApiAnswer> {
  return server.client({ 'x-forwarded-for': address }).post('/api/auth/login', { username, password });
}

async function guessTimes(
  times: number,
  username: string,
  address?: string,
): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (let n = 0; n < times; n += 1) codes.push((await guess(username, address)).problem?.code);
  return codes;
}

async function countFailures(subject: string): Promise<number | undefined> {
  const { rows } = await server.database.db.query<{ count: number }>(
    'select failures_count as count from login_throttles where subject = $1',
    [subject],
  );
  return rows[0]?.count;
}

describe('an account', () => {
  test('is closed after ten failures to where they came from, also for the right password', async () => {
    const username = await addPerson(server);
    for (let n = 0; n < 10; n += 1) expect((await guess(username)).problem?.code).toBe('bad-login');
    const refused = await guess(username, '203.0.113.1', PASSWORD);
    expect(refused.problem?.code).toBe('login-throttled');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(900);
  });

  test('stays open to its owner when a stranger has failed elsewhere as often as that goes', async () => {
    const username = await addPerson(server);
    expect((await guessTimes(20, username)).at(-1)).toBe('login-throttled');
    expect((await guess(username, '203.0.113.77', PASSWORD)).status).toBe(200);
    // Whose failures those were is not forgotten by it.
    expect((await guess(username, '203.0.113.1', PASSWORD)).problem?.code).toBe('login-throttled');
    expect(await countFailures(`account:${username}`)).toBe(10);
  });

  test('is closed to everybody after a hundred failures, from wherever they came', async () => {
    const username = await addPerson(server);
    await guess(username, '203.0.113.1');
    await server.database.execute('update login_throttles set failures_count = 99 where subject = $1', [
      `account:${username}`,
    ]);
    expect((await guess(username, '203.0.113.2')).problem?.code).toBe('bad-login');
    expect((await guess(username, '203.0.113.3', PASSWORD)).problem?.code).toBe('login-throttled');
  });

  test('stays open where its owner has logged in from lately, however many addresses strangers have', async () => {
    const username = await addPerson(server);
    expect((await guess(username, '203.0.113.1', PASSWORD)).status).toBe(200);
    await guess(username, '203.0.113.2');
    await server.database.execute('update login_throttles set failures_count = 100 where subject = $1', [
      `account:${username}`,
    ]);
    expect((await guess(username, '203.0.113.3', PASSWORD)).problem?.code).toBe('login-throttled');
    expect((await guess(username, '203.0.113.1', PASSWORD)).status).toBe(200);
    for (let n = 0; n < 10; n += 1) await guess(username, '203.0.113.1');
    expect((await guess(username, '203.0.113.1', PASSWORD)).problem?.code).toBe('login-throttled');
  });

  test('that nobody has is closed in the same way', async () => {
    const codes = await guessTimes(11, 'nobody.here');
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'bad-login'));
    expect(codes[10]).toBe('login-throttled');
  });

  test('is open again when the time is over', async () => {
    const username = await addPerson(server);
    await guessTimes(10, username);
    await advance(server.database, { minutes: 14 });
    expect((await guess(username, undefined, PASSWORD)).problem?.code).toBe('login-throttled');
    await advance(server.database, { minutes: 1, seconds: 5 });
    expect((await guess(username, undefined, PASSWORD)).status).toBe(200);
  });

  test('starts from nothing after a login that succeeded', async () => {
    const username = await addPerson(server);
    await guessTimes(9, username);
    expect((await guess(username, undefined, PASSWORD)).status).toBe(200);
    expect(await guessTimes(9, username)).not.toContain('login-throttled');
  });

  test('lets no more than ten of a hundred guesses at once be compared', async () => {
    const username = await addPerson(server);
    const answers = await Promise.all(Array.from({ length: 100 }, () => guess(username)));
    const codes = answers.map((answer) => answer.problem?.code);
    expect(codes.filter((code) => code === 'bad-login')).toHaveLength(10);
    expect(codes.filter((code) => code === 'login-throttled')).toHaveLength(90);
  });

  test('is closed in every process: another server on the same database knows', async () => {
    const username = await addPerson(server);
    await guessTimes(10, username, '127.0.0.1');
    const second = await startSecond(server);
    try {
      const answer = await fetch(`${second.url}/api/auth/login`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ username, password: PASSWORD }),
      });
      expect(answer.status).toBe(429);
    } finally {
      await second.close();
    }
  });

  test('can be opened by an administrator, for wherever it was closed, and nobody else’s with it', async () => {
    const { username, client } = await enter(server);
    const [other, longer] = [await addPerson(server), `${username}2`];
    for (const address of ['203.0.113.1', '203.0.113.2']) await guessTimes(10, username, address);
    await guessTimes(10, longer);
    await guess(other, '203.0.113.5');
    const change = { currentPassword: 'not the password', newPassword: 'a kettle sings in the cellar' };
    for (let n = 0; n < 10; n += 1) await client.post('/api/auth/password', change);
    const admin = await server.as('admin');
    expect((await admin.post(`/api/admin/users/${username}/unlock`)).status).toBe(204);
    const { rows } = await server.database.db.query<{ subject: string }>(
      "select subject from login_throttles where subject like 'account:%' order by 1",
    );
    expect(rows.map(({ subject }) => subject).sort()).toEqual(
      [
        ...[`account:${longer}`, `account:${longer} from 203.0.113.1`],
        ...[`account:${other}`, `account:${other} from 203.0.113.5`],
      ].sort(),
    );
    expect((await guess(username, '203.0.113.2', PASSWORD)).status).toBe(200);
    expect((await client.post('/api/auth/password', { ...change, currentPassword: PASSWORD })).status).toBe(
      200,
    );
  });

  test('is guarded against wrong current passwords by a count of its own', async () => {
    const { client, username } = await enter(server);
    const change = { currentPassword: 'not the password', newPassword: 'a kettle sings in the cellar' };
    for (let n = 0; n < 10; n += 1) {
      expect((await client.post('/api/auth/password', change)).problem?.code).toBe('wrong-password');
    }
    const refused = await client.post('/api/auth/password', { ...change, currentPassword: PASSWORD });
    expect(refused.problem?.code).toBe('login-throttled');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await guess(username, undefined, PASSWORD)).status).toBe(200);
  });

  test('has its password changed by its owner, however often strangers have failed to log in', async () => {
    const { client, username } = await enter(server);
    await guessTimes(11, username, '127.0.0.1');
    await server.database.execute('update login_throttles set failures_count = 1000');
    const change = { currentPassword: PASSWORD, newPassword: 'a kettle sings in the cellar' };
    expect((await client.post('/api/auth/password', change)).status).toBe(200);
  });
});

describe('an address', () => {
  test('is refused after thirty failures with any names, and others are not', async () => {
    const username = await addPerson(server);
    for (let n = 0; n < 30; n += 1) {
      expect((await guess(`name${n}`)).problem?.code).toBe('bad-login');
    }
    expect((await guess(username, '203.0.113.1', PASSWORD)).problem?.code).toBe('login-throttled');
    expect((await guess(username, '203.0.113.2', PASSWORD)).status).toBe(200);
  });

  test('keeps its failures when somebody logs in from it', async () => {
    const username = await addPerson(server);
    await guess('name1');
    await guess('name2');
    expect((await guess(username, undefined, PASSWORD)).status).toBe(200);
    expect(await countFailures('address:203.0.113.1')).toBe(2);
    expect(await countFailures(`account:${username}`)).toBe(0);
    expect(await countFailures(`account:${username} from 203.0.113.1`)).toBeUndefined();
  });

  test('of IPv6 is the network of a customer', async () => {
    await guess('name1', '2001:db8:1:2::1');
    await guess('name2', '2001:db8:1:2:ffff::9');
    await guess('name3', '2001:db8:1:3::1');
    expect(await countFailures('address:2001:db8:1:2::/64')).toBe(2);
  });

  test('cannot be made up by a client that is no proxy', async () => {
    const direct = await startTestServer();
    try {
      for (const address of ['198.51.100.1', '198.51.100.2']) {
        await direct
          .client({ 'x-forwarded-for': address })
          .post('/api/auth/login', { username: 'nobody', password: PASSWORD });
      }
      const { rows } = await direct.database.db.query(
        "select subject, failures_count as count from login_throttles where subject like 'address:%'",
      );
      expect(rows).toEqual([{ subject: 'address:127.0.0.1', count: 2 }]);
    } finally {
      await direct.close();
    }
  });

  test('that is refused counts against nobody', async () => {
    const username = await addPerson(server);
    for (let n = 0; n < 30; n += 1) await guess(`name${n}`);
    for (let n = 0; n < 15; n += 1) await guess(username);
    expect(await countFailures(`account:${username}`)).toBeUndefined();
    expect((await guess(username, '203.0.113.2', PASSWORD)).status).toBe(200);
  });
});

describe('upkeep', () => {
  test('what is over is deleted, and what counts is kept', async () => {
    const username = await addPerson(server);
    await logInAs(server, username);
    await guess('name1');
    await server.database.execute(
      "insert into idempotency_keys (owner, key, fingerprint, locked_until) values ('a', 'b', '', now())",
    );
    expect(await cleanAccess(server.database.db)).toEqual({ sessions: 0, throttles: 0, idempotencyKeys: 0 });
    await advance(server.database, { hours: 24, seconds: 1 });
    // Also those of which a successful login leaves none: of the account, and of 127.0.0.1.
    expect(await cleanAccess(server.database.db)).toEqual({ sessions: 1, throttles: 5, idempotencyKeys: 1 });
  });
});

/** Another server on the database of the first. */
async function startSecond({ database }: TestServer) {
  const [{ createServer }, { openParts }, { loadConfig }] = await Promise.all([
    import('../../src/api/server.ts'),
    import('../../src/api/open-parts.ts'),
    import('../../src/platform/config.ts'),
  ]);
  const config = loadConfig({ databaseUrl: database.url, port: 0 }, {});
  const parts = await openParts({ config, db: database.db, slowDb: database.db });
  const app = await createServer(parts, { level: 'silent', stream: { write: () => undefined } });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    await app.close();
    await parts.close();
  };
  return { url, close };
}
