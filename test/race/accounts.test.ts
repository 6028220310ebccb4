/** Accounts when several act at the same moment. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureFirstAdmin } from '../../src/control/access/first-admin.ts';
import { identifySession } from '../../src/control/access/identify.ts';
import { logIn } from '../../src/control/access/login.ts';
import { resetPassword } from '../../src/control/access/reset-password.ts';
import { changeUser, createUser, deleteUser } from '../../src/control/access/users.ts';
import type { ForagerError } from '../../src/platform/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const TESTER = { name: 'test' };
const PASSWORD = 'four pigeons on a wet roof';

const login = (username: string, password = PASSWORD) =>
  logIn(database.db, {
    ...{ username, password, address: '203.0.113.1', network: '203.0.113.1', userAgent: undefined },
    ...{ previousToken: undefined, requestId: 'test' },
  });

describe('the last administrator', () => {
  test('is left over, however many are deleted, switched off and made users at once', async () => {
    const { db } = database;
    const names = Array.from({ length: 9 }, (_, n) => `admin${n}`);
    for (const username of names) {
      await database.execute("insert into users (username, role, password_hash) values ($1, 'admin', '-')", [
        username,
      ]);
    }
    const ends = await Promise.allSettled(
      names.map((username, n) => {
        if (n % 3 === 0) return deleteUser(db, username, TESTER);
        return changeUser(db, username, n % 3 === 1 ? { role: 'user' } : { isEnabled: false }, TESTER);
      }),
    );
    const { rows } = await db.query("select from users where role = 'admin' and is_enabled");
    expect(rows).toHaveLength(1);
    const refused = ends.filter((end) => end.status === 'rejected');
    expect(refused.map((end) => (end.reason as ForagerError).code)).toEqual(['last-admin']);
  });
});

describe('the first administrator', () => {
  test('is made by one of several processes, with a password that works', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => ensureFirstAdmin(database.db)));
    const [first, ...rest] = made.filter((one) => one !== undefined);
    expect(rest).toEqual([]);
    expect(first?.username).toBe('admin');
    expect(await login('admin', first?.password)).toMatchObject({ role: 'admin' });
  });

  test('gets a new password from one of several processes, when the first was never used', async () => {
    await ensureFirstAdmin(database.db);
    for (let round = 0; round < 5; round += 1) {
      await database.execute(
        "update users set last_login_at = null, password_expires_at = now() - interval '1 second'",
      );
      const made = await Promise.all(Array.from({ length: 6 }, () => ensureFirstAdmin(database.db)));
      const [first, ...rest] = made.filter((one) => one !== undefined);
      expect(rest).toEqual([]);
      expect(await login('admin', first?.password)).toMatchObject({ role: 'admin' });
    }
  });
});

describe('a name', () => {
  test('goes to one of several who want it', async () => {
    const wanted = { username: 'anna', role: 'user', password: PASSWORD } as const;
    const ends = await Promise.allSettled(
      Array.from({ length: 4 }, () => createUser(database.db, wanted, TESTER)),
    );
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
    const reasons = ends.flatMap((end) =>
      end.status === 'rejected' ? [(end.reason as ForagerError).code] : [],
    );
    expect(reasons).toEqual(['user-exists', 'user-exists', 'user-exists']);
  });
});

describe('a login with the old password', () => {
  test('leaves no session behind when the password is changed at the same moment', async () => {
    const { db } = database;
    await createUser(db, { username: 'anna', role: 'user', password: PASSWORD }, TESTER);
    for (let round = 0; round < 5; round += 1) {
      await database.execute('delete from login_throttles');
      await resetPassword(db, 'anna', { password: PASSWORD }, TESTER);
      const logins = Array.from({ length: 4 }, () => login('anna'));
      const next = { password: 'a kettle sings in the cellar' };
      const [, ...entered] = await Promise.allSettled([resetPassword(db, 'anna', next, TESTER), ...logins]);
      for (const end of entered) {
        if (end.status === 'fulfilled') expect(await identifySession(db, end.value.token)).toBeUndefined();
        else expect((end.reason as ForagerError).code).toBe('bad-login');
      }
    }
  });
});
