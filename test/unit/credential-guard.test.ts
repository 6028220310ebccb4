import { expect, test } from 'vitest';
import { CredentialGuard } from '../../src/api/credential-guard.ts';
import { newKeyToken, newSessionToken } from '../../src/control/access/secrets.ts';
import type { Database } from '../../src/platform/database.ts';

const KEY = {
  keyId: 1,
  name: 'k',
  role: 'user',
  scopes: ['read'],
  userId: 1,
  username: 'anna',
  expiresAt: null,
};
const SESSION = { sessionId: 1, userId: 1, username: 'anna', role: 'user', passwordExpiresAt: null };

/** A database that knows what is right, and counts how often it is asked. */
function makeBench(mostWrong = 5) {
  const bench = { nowMs: 1_000_000, asked: 0, isRight: false, wait: Promise.resolve() };
  const query = async (statement: { name: string }) => {
    bench.asked += 1;
    await bench.wait;
    const row = statement.name === 'find-key' ? KEY : { ...SESSION, expiresAt: new Date() };
    return { rows: bench.isRight ? [{ ...row, isUnnoted: false }] : [], rowCount: 0 };
  };
  const guard = new CredentialGuard({ query } as unknown as Database, mostWrong, () => bench.nowMs);
  return { bench, guard };
}

const ask = (headers: Record<string, string>, address = '203.0.113.1') => ({ headers, address });
const withKey = (token = newKeyToken()) => ({ authorization: `Bearer ${token}` });
const withCookie = (token = newSessionToken()) => ({ cookie: `forager_session=${token}` });

async function codeOf(asked: Promise<{ role: string }>): Promise<string> {
  return asked.then(
    ({ role }) => role,
    (error: { code: string }) => error.code,
  );
}

test.each([
  ['keys', withKey, 'bad-key'],
  ['cookies', withCookie, 'anonymous'],
])('wrong %s cost a question each only until there were too many', async (_what, make, answer) => {
  const { bench, guard } = makeBench();
  const codes: string[] = [];
  for (let n = 0; n < 50; n += 1) codes.push(await codeOf(guard.authenticate(ask(make()))));
  expect(codes).toEqual(Array.from({ length: 50 }, (_, n) => (n < 5 ? answer : 'rate-limited')));
  expect(bench.asked).toBe(5);
  expect(await codeOf(guard.authenticate(ask(make(), '203.0.113.2')))).toBe(answer);
  bench.nowMs += 60_000;
  expect(await codeOf(guard.authenticate(ask(make())))).toBe(answer);
});

test('what cannot be a key or a session is not asked about, and neither is nothing', async () => {
  const { bench, guard } = makeBench();
  for (let n = 0; n < 50; n += 1) {
    expect(await codeOf(guard.authenticate(ask({ cookie: 'forager_session=garbage' })))).toBe('anonymous');
    expect(await codeOf(guard.authenticate(ask({ authorization: 'Bearer garbage' })))).toBe('bad-key');
    expect(await codeOf(guard.authenticate(ask({})))).toBe('anonymous');
  }
  expect(bench.asked).toBe(0);
});

test('whoever was right a moment ago goes on, whatever others send from the same address', async () => {
  const { bench, guard } = makeBench();
  const [mine, later] = [withCookie(), withKey()];
  bench.isRight = true;
  expect(await codeOf(guard.authenticate(ask(mine)))).toBe('user');
  bench.isRight = false;
  for (let n = 0; n < 20; n += 1) await codeOf(guard.authenticate(ask(withKey())));
  bench.isRight = true;
  expect(await codeOf(guard.authenticate(ask(mine)))).toBe('user');
  expect(await codeOf(guard.authenticate(ask(later)))).toBe('rate-limited');
  // Somebody who has just logged in is known.
  const fresh = newSessionToken();
  guard.admit({ kind: 'session', token: fresh });
  expect(await codeOf(guard.authenticate(ask(withCookie(fresh))))).toBe('user');
  // What has ended meanwhile is found out.
  bench.isRight = false;
  expect(await codeOf(guard.authenticate(ask(mine)))).toBe('anonymous');
});

test('the same wrong one, sent again and again, is asked about once a second and counted once', async () => {
  const { bench, guard } = makeBench();
  const over = withCookie();
  for (let n = 0; n < 50; n += 1) expect(await codeOf(guard.authenticate(ask(over)))).toBe('anonymous');
  expect(bench.asked).toBe(1);
  for (let n = 0; n < 50; n += 1) {
    bench.nowMs += 1000;
    expect(await codeOf(guard.authenticate(ask(over)))).toBe('anonymous');
  }
  expect(bench.asked).toBe(51);
  // An account that was switched on again.
  bench.isRight = true;
  bench.nowMs += 1000;
  expect(await codeOf(guard.authenticate(ask(over)))).toBe('user');
});

test('a flood that comes all at once is not looked at all at once', async () => {
  const { bench, guard } = makeBench();
  let open = (): void => undefined;
  bench.wait = new Promise((resolve) => {
    open = resolve;
  });
  const flood = Array.from({ length: 1000 }, () => codeOf(guard.authenticate(ask(withKey()))));
  expect(bench.asked).toBe(5);
  open();
  const codes = await Promise.all(flood);
  expect(codes.filter((code) => code === 'bad-key')).toHaveLength(5);
  expect(codes.filter((code) => code === 'overloaded')).toHaveLength(995);
});

test('what the database fails with goes out as it is, and is counted against nobody', async () => {
  const { bench, guard } = makeBench();
  const lost = new Error('the database is away');
  bench.wait = Promise.reject(lost);
  for (let n = 0; n < 20; n += 1) await expect(guard.authenticate(ask(withKey()))).rejects.toBe(lost);
  bench.wait = Promise.resolve();
  expect(await codeOf(guard.authenticate(ask(withKey())))).toBe('bad-key');
});

test('what is remembered has an end', async () => {
  const { bench, guard } = makeBench();
  bench.isRight = true;
  for (let n = 0; n < 10_100; n += 1) await guard.authenticate(ask(withKey()));
  expect(guard.size).toBe(10_000);
});
