import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureFirstAdmin } from '../../src/control/access/first-admin.ts';
import { logIn } from '../../src/control/access/login.ts';
import { createUser, deleteUser } from '../../src/control/access/users.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const login = (username: string, password: string) =>
  logIn(database.db, {
    ...{ username, password, address: '203.0.113.1', network: '203.0.113.1', userAgent: undefined },
    ...{ previousToken: undefined, requestId: 'test' },
  });

test('an empty database gets an administrator, whose password is told once', async () => {
  const first = await ensureFirstAdmin(database.db);
  expect(first).toMatchObject({ username: 'admin', hours: 24 });
  expect(first?.password).toMatch(/^[2-9a-z-]{23}$/);
  expect(await ensureFirstAdmin(database.db)).toBeUndefined();
  const entered = await login('admin', first?.password ?? '');
  expect(entered).toMatchObject({ role: 'admin', passwordExpiresAt: expect.any(Date) });
});

test('the password ends after a day; never used, the next start makes another one', async () => {
  const first = await ensureFirstAdmin(database.db);
  await advance(database, { hours: 23 });
  expect(await ensureFirstAdmin(database.db)).toBeUndefined();
  await advance(database, { hours: 1, seconds: 1 });
  await expect(login('admin', first?.password ?? '')).rejects.toMatchObject({ code: 'bad-login' });
  const second = await ensureFirstAdmin(database.db);
  expect(second?.username).toBe('admin');
  await expect(login('admin', first?.password ?? '')).rejects.toMatchObject({ code: 'bad-login' });
  expect(await login('admin', second?.password ?? '')).toMatchObject({ username: 'admin' });
});

test('a password that was used is not replaced at a start, even when it has ended', async () => {
  const first = await ensureFirstAdmin(database.db);
  await login('admin', first?.password ?? '');
  await advance(database, { hours: 48 });
  expect(await ensureFirstAdmin(database.db)).toBeUndefined();
});

test('with another administrator nobody is let in by a start', async () => {
  await ensureFirstAdmin(database.db);
  const wanted = { username: 'anna', role: 'admin', password: 'four pigeons on a wet roof' } as const;
  await createUser(database.db, wanted, { name: 'test' });
  await advance(database, { hours: 48 });
  expect(await ensureFirstAdmin(database.db)).toBeUndefined();
  await deleteUser(database.db, 'admin', { name: 'test' });
  expect(await ensureFirstAdmin(database.db)).toBeUndefined();
});

test('the making of it is in the audit log, the password is not', async () => {
  const first = await ensureFirstAdmin(database.db);
  const { rows } = await database.db.query(
    'select actor, action, target, audit_log::text as text from audit_log',
  );
  expect(rows).toMatchObject([{ actor: 'system', action: 'user.created', target: 'admin' }]);
  expect(JSON.stringify(rows)).not.toContain(first?.password);
});
