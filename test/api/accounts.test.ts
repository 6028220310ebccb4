import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { addPerson, enter, logInAs, PASSWORD } from '../support/people.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = (await enter(server, 'admin')).client;
});
afterAll(() => server.close());

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

async function readAll<T>(path: string, query: Record<string, string | number> = {}): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = (await admin.get(path, { ...query, ...(cursor === undefined ? {} : { cursor }) }))
      .body as Page<T>;
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

describe('who may', () => {
  test.each([
    ['GET', '/api/admin/users'],
    ['POST', '/api/admin/users'],
    ['GET', '/api/admin/users/anna'],
    ['PATCH', '/api/admin/users/anna'],
    ['DELETE', '/api/admin/users/anna'],
    ['POST', '/api/admin/users/anna/password'],
    ['POST', '/api/admin/users/anna/unlock'],
    ['GET', '/api/admin/keys'],
    ['POST', '/api/admin/keys'],
    ['DELETE', '/api/admin/keys/1'],
    ['GET', '/api/admin/audit'],
  ])('%s %s is for administrators only', async (method, path) => {
    const codes = await Promise.all(
      [
        server.client(),
        (await enter(server)).client,
        await server.as('bot'),
        await server.as('admin', ['manage']),
      ].map(async (client) => (await client.request(method, path)).problem?.code),
    );
    expect(codes).toEqual(['not-logged-in', 'not-permitted', 'not-permitted', 'not-permitted']);
  });
});

describe('users', () => {
  test('one with a password of their own can log in at once', async () => {
    const answer = await admin.post('/api/admin/users', {
      username: 'anna',
      role: 'user',
      password: PASSWORD,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      ...{
        password: null,
        user: { username: 'anna', role: 'user', isEnabled: true, mustChangePassword: false },
      },
    });
    await logInAs(server, 'anna');
    expect((await admin.get('/api/admin/users/anna')).body).toMatchObject({
      lastLoginAt: expect.any(String),
    });
  });

  test('one without gets a password that is shown once and to be changed', async () => {
    const answer = await admin.post('/api/admin/users', { username: 'bert', role: 'admin' });
    const { password } = answer.body as { password: string };
    expect(password).toMatch(/^[2-9a-z]{5}(-[2-9a-z]{5}){3}$/);
    const login = await server.client().post('/api/auth/login', { username: 'bert', password });
    expect(login.body).toMatchObject({ mustChangePassword: true, user: { role: 'admin' } });
    expect((await admin.get('/api/admin/users/bert')).text).not.toContain(password);
  });

  test('a name that is taken is a conflict, and the account stays as it was', async () => {
    const username = await addPerson(server);
    const answer = await admin.post('/api/admin/users', { username, role: 'admin' });
    expect(answer.problem?.code).toBe('user-exists');
    expect((await admin.get(`/api/admin/users/${username}`)).body).toMatchObject({ role: 'user' });
    await logInAs(server, username);
  });

  test.each([
    ['capitals', { username: 'Anna', role: 'user' }],
    ['a space', { username: 'anna b', role: 'user' }],
    ['nothing', { username: '', role: 'user' }],
    ['a leading dot', { username: '.anna', role: 'user' }],
    ['markup', { username: '<script>', role: 'user' }],
    ['too much', { username: 'a'.repeat(65), role: 'user' }],
    ['the role of a bot', { username: 'robot', role: 'bot' }],
    ['a field that is not for sale', { username: 'eve', role: 'user', isEnabled: true }],
  ])('a user with %s is refused', async (_title, body) => {
    expect((await admin.post('/api/admin/users', body)).problem?.code).toBe('invalid');
  });

  test('a password that contains the name is refused', async () => {
    const body = { username: 'constanze', role: 'user', password: 'my name is Constanze!' };
    expect((await admin.post('/api/admin/users', body)).problem?.code).toBe('weak-password');
    expect((await admin.get('/api/admin/users/constanze')).problem?.code).toBe('unknown-user');
  });

  test('are listed by name, a page at a time, everybody once', async () => {
    for (let n = 0; n < 5; n += 1) await addPerson(server);
    const names = (await readAll<{ username: string }>('/api/admin/users', { limit: 2 })).map(
      (one) => one.username,
    );
    const { rows } = await server.database.db.query<{ username: string }>(
      'select username from users order by username',
    );
    expect(names).toEqual(rows.map((row) => row.username));
    expect((await admin.get('/api/admin/users', { limit: 201 })).problem?.code).toBe('invalid');
    expect((await admin.get('/api/admin/users', { cursor: 'e30' })).problem?.code).toBe('bad-cursor');
  });

  test('one who is switched off is out at once, with sessions and keys, and comes back by logging in', async () => {
    const person = await enter(server);
    const made = await person.client.post('/api/auth/keys', { name: 'k', scopes: ['read'] });
    const program = server.client({ authorization: `Bearer ${(made.body as { token: string }).token}` });
    const off = await admin.patch(`/api/admin/users/${person.username}`, { isEnabled: false });
    expect(off.body).toMatchObject({ isEnabled: false, role: 'user' });
    expect((await person.client.get('/api/auth/me')).problem?.code).toBe('not-logged-in');
    expect((await program.get('/api/auth/me')).problem?.code).toBe('bad-key');
    await admin.patch(`/api/admin/users/${person.username}`, { isEnabled: true });
    expect((await person.client.get('/api/auth/me')).status).toBe(401);
    // What was wrong is believed to be so for a second.
    await expect.poll(async () => (await program.get('/api/auth/me')).status, { timeout: 10_000 }).toBe(200);
    await logInAs(server, person.username);
  });

  test('another role holds at once, for sessions and for keys', async () => {
    const person = await enter(server, 'admin');
    const made = await person.client.post('/api/auth/keys', { name: 'k', scopes: ['read', 'accounts'] });
    const program = server.client({ authorization: `Bearer ${(made.body as { token: string }).token}` });
    expect((await program.get('/api/admin/users')).status).toBe(200);
    await admin.patch(`/api/admin/users/${person.username}`, { role: 'user' });
    for (const client of [person.client, program]) {
      expect((await client.get('/api/admin/users')).problem?.code).toBe('not-permitted');
      expect((await client.get('/api/domains')).status).toBe(200);
    }
    await admin.patch(`/api/admin/users/${person.username}`, { role: 'admin' });
    expect((await person.client.get('/api/admin/users')).status).toBe(200);
  });

  test('one who is deleted is gone at once, with sessions and keys', async () => {
    const person = await enter(server);
    const made = await person.client.post('/api/auth/keys', { name: 'k', scopes: ['read'] });
    const program = server.client({ authorization: `Bearer ${(made.body as { token: string }).token}` });
    expect((await admin.delete(`/api/admin/users/${person.username}`)).status).toBe(204);
    expect((await person.client.get('/api/auth/me')).problem?.code).toBe('not-logged-in');
    expect((await program.get('/api/auth/me')).problem?.code).toBe('bad-key');
    const login = { username: person.username, password: PASSWORD };
    expect((await server.client().post('/api/auth/login', login)).problem?.code).toBe('bad-login');
  });

  test('one who is not there cannot be read, changed, deleted, given a password or let in', async () => {
    for (const name of ['nobody', '%20%27--', 'a'.repeat(100)]) {
      const path = `/api/admin/users/${name}`;
      const answers = [
        await admin.get(path),
        await admin.patch(path, { role: 'user' }),
        await admin.delete(path),
        await admin.post(`${path}/password`),
        await admin.post(`${path}/unlock`),
      ];
      expect(answers.map((answer) => answer.problem?.code)).toEqual(new Array(5).fill('unknown-user'));
    }
  });

  test('a change that changes nothing is refused by its form', async () => {
    const username = await addPerson(server);
    expect((await admin.patch(`/api/admin/users/${username}`, {})).problem?.code).toBe('invalid');
    expect((await admin.patch(`/api/admin/users/${username}`, { password: 'x' })).problem?.code).toBe(
      'invalid',
    );
  });

  test('a new password ends all sessions, opens a closed account, and is shown once', async () => {
    const person = await enter(server);
    await logInAs(server, person.username);
    for (let n = 0; n < 10; n += 1) {
      await server.client().post('/api/auth/login', { username: person.username, password: 'a guess' });
    }
    const answer = await admin.post(`/api/admin/users/${person.username}/password`);
    expect(answer.body).toMatchObject({ username: person.username, endedSessions: 2 });
    expect((await person.client.get('/api/auth/me')).status).toBe(401);
    const { password } = answer.body as { password: string };
    const login = await server.client().post('/api/auth/login', { username: person.username, password });
    expect(login.body).toMatchObject({ mustChangePassword: true });
  });

  test('a new password can take the keys with it', async () => {
    const person = await enter(server);
    const made = await person.client.post('/api/auth/keys', { name: 'k', scopes: ['read'] });
    const program = server.client({ authorization: `Bearer ${(made.body as { token: string }).token}` });
    await admin.post(`/api/admin/users/${person.username}/password`);
    expect((await program.get('/api/auth/me')).status).toBe(200);
    await admin.post(`/api/admin/users/${person.username}/password`, { revokeKeys: true });
    expect((await program.get('/api/auth/me')).problem?.code).toBe('bad-key');
  });
});

describe('the last administrator', () => {
  test('can be neither deleted, switched off nor made a user', async () => {
    const alone = await startTestServer();
    try {
      const { username, client } = await enter(alone, 'admin');
      const path = `/api/admin/users/${username}`;
      const answers = [
        await client.delete(path),
        await client.patch(path, { isEnabled: false }),
        await client.patch(path, { role: 'user' }),
      ];
      expect(answers.map((answer) => answer.problem?.code)).toEqual(new Array(3).fill('last-admin'));
      expect((await client.patch(path, { role: 'admin', isEnabled: true })).status).toBe(200);
      // An administrator who is switched off does not count.
      const other = await addPerson(alone, 'admin');
      await client.patch(`/api/admin/users/${other}`, { isEnabled: false });
      expect((await client.delete(path)).problem?.code).toBe('last-admin');
      await client.patch(`/api/admin/users/${other}`, { isEnabled: true });
      expect((await client.delete(path)).status).toBe(204);
    } finally {
      await alone.close();
    }
  });
});

describe('keys of everybody', () => {
  test('a bot’s key is shown once, does a bot’s work only, and can be revoked', async () => {
    const answer = await admin.post('/api/admin/keys', { name: 'robby', role: 'bot' });
    expect(answer.status).toBe(201);
    const { token, key } = answer.body as { token: string; key: { id: number } };
    expect(key).toMatchObject({ role: 'bot', scopes: ['work'], username: null, isActive: true });
    const bot = server.client({ authorization: `Bearer ${token}` });
    expect((await bot.get('/api/auth/me')).body).toMatchObject({ role: 'bot', keyName: 'robby' });
    expect((await bot.get('/api/domains')).problem?.code).toBe('not-permitted');
    expect((await admin.delete(`/api/admin/keys/${key.id}`)).status).toBe(204);
    expect((await bot.get('/api/auth/me')).problem?.code).toBe('bad-key');
    expect((await admin.delete(`/api/admin/keys/${key.id}`)).problem?.code).toBe('key-revoked');
  });

  test('an administrator makes no keys in the name of people, and revokes those of anybody', async () => {
    expect((await admin.post('/api/admin/keys', { name: 'x', role: 'admin' })).problem?.code).toBe('invalid');
    const person = await enter(server);
    const made = await person.client.post('/api/auth/keys', { name: 'k', scopes: ['read'] });
    const { key } = made.body as { key: { id: number } };
    expect((await admin.delete(`/api/admin/keys/${key.id}`)).status).toBe(204);
    expect((await admin.delete('/api/admin/keys/999999999')).problem?.code).toBe('unknown-key');
  });

  test('are listed, the newest first, by owner, role and whether they work', async () => {
    const person = await enter(server);
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three']) {
      const made = await person.client.post('/api/auth/keys', { name, scopes: ['read'] });
      ids.push((made.body as { key: { id: number } }).key.id);
    }
    await person.client.delete(`/api/auth/keys/${ids[1]}`);
    const filtered = async (query: Record<string, string | number>): Promise<number[]> =>
      (await readAll<{ id: number }>('/api/admin/keys', { limit: 2, ...query })).map((one) => one.id);
    const { username } = person;
    expect(await filtered({ username })).toEqual([...ids].reverse());
    expect(await filtered({ username, isActive: 'true' })).toEqual([ids[2], ids[0]]);
    expect(await filtered({ username, isActive: 'false' })).toEqual([ids[1]]);
    expect(await filtered({ username, role: 'bot' })).toEqual([]);
    expect(await filtered({ username: 'nobody' })).toEqual([]);
    expect(await filtered({})).toEqual([...(await filtered({}))].sort((a, b) => b - a));
    expect((await admin.get('/api/admin/keys', { role: 'wizard' })).problem?.code).toBe('invalid');
  });

  test('the use of a key is noted beside the request', async () => {
    const answer = await admin.post('/api/admin/keys', { name: 'used' });
    const { token, key } = answer.body as { token: string; key: { id: number } };
    expect(key).toMatchObject({ lastUsedAt: null });
    await server.client({ authorization: `Bearer ${token}` }).get('/api/auth/me');
    await expect
      .poll(async () => {
        const keys = await readAll<{ id: number; lastUsedAt: string | null }>('/api/admin/keys', {
          role: 'bot',
        });
        return keys.find((one) => one.id === key.id)?.lastUsedAt;
      })
      .toEqual(expect.any(String));
  });
});

describe('GET /api/admin/audit', () => {
  interface Entry {
    id: number;
    at: string;
    actor: string;
    action: string;
    target: string | null;
    address: string | null;
    requestId: string | null;
    details: Record<string, unknown>;
  }

  test('says who did what to whom, from where, and by which request', async () => {
    const me = await enter(server, 'admin');
    const body = { username: 'clara', role: 'user' };
    const made = await me.client.post('/api/admin/users', body, { 'x-request-id': 'make-clara' });
    expect(made.status).toBe(201);
    await me.client.patch('/api/admin/users/clara', { role: 'admin' });
    await me.client.post('/api/admin/users/clara/password');
    await me.client.delete('/api/admin/users/clara');
    await me.client.post('/api/admin/keys', { name: 'c3' });
    const entries = await readAll<Entry>('/api/admin/audit', { actor: `user:${me.username}`, limit: 2 });
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ['key.created', expect.stringMatching(/^\d+$/)],
      ['user.deleted', 'clara'],
      ['password.reset', 'clara'],
      ['user.changed', 'clara'],
      ['user.created', 'clara'],
      ['login.succeeded', me.username],
    ]);
    expect(entries.at(-2)).toMatchObject({ requestId: 'make-clara', address: '127.0.0.1' });
    expect(entries.at(-3)?.details).toMatchObject({ from: { role: 'user' }, to: { role: 'admin' } });
  });

  test('failed logins are in it, those that were refused unheard are not', async () => {
    const username = await addPerson(server);
    for (let n = 0; n < 13; n += 1) {
      await server.client().post('/api/auth/login', { username, password: 'a guess' });
    }
    const entries = await readAll<Entry>('/api/admin/audit', { action: 'login.failed', limit: 200 });
    expect(entries.filter((entry) => entry.target === username)).toHaveLength(10);
  });

  test('what people do to their own account is in it', async () => {
    const person = await enter(server);
    await person.client.post('/api/auth/keys', { name: 'k', scopes: ['read'] });
    await person.client.post('/api/auth/logout-everywhere');
    const again = await logInAs(server, person.username);
    await again.client.post('/api/auth/password', {
      currentPassword: PASSWORD,
      newPassword: 'tea at the old mill',
    });
    const entries = await readAll<Entry>('/api/admin/audit', { actor: `user:${person.username}` });
    expect(entries.map((entry) => entry.action)).toEqual([
      ...['password.changed', 'login.succeeded', 'sessions.ended', 'key.created', 'login.succeeded'],
    ]);
  });

  test('can be read from a time to a time, and in pages even where many happened at one moment', async () => {
    await server.database.execute(
      `insert into audit_log (at, actor, action) select '2001-02-03 04:05:06.789012Z', 'old', 'x.' || n
         from generate_series(1, 7) n`,
    );
    const window = { since: '2001-02-03T00:00:00Z', until: '2001-02-04T00:00:00Z' };
    const entries = await readAll<Entry>('/api/admin/audit', { ...window, limit: 2 });
    expect(entries.map((entry) => entry.action)).toEqual(['x.7', 'x.6', 'x.5', 'x.4', 'x.3', 'x.2', 'x.1']);
    expect(await readAll('/api/admin/audit', { until: '2001-02-03T00:00:00Z' })).toEqual([]);
    expect((await admin.get('/api/admin/audit', { since: 'yesterday' })).problem?.code).toBe('invalid');
    const foreign = Buffer.from(JSON.stringify(['audit', "'; drop table users", 1])).toString('base64url');
    expect((await admin.get('/api/admin/audit', { cursor: foreign })).problem?.code).toBe('bad-cursor');
    const nonsense = Buffer.from(JSON.stringify(['audit', '2001-02-30T00:00:00.000000Z', 1])).toString(
      'base64url',
    );
    expect((await admin.get('/api/admin/audit', { cursor: nonsense })).problem?.code).toBe('bad-cursor');
  });
});
