import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../src/control/access/users.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { addPerson, enter, logInAs, PASSWORD, tokenOf } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const NEW_PASSWORD = 'a kettle sings in the cellar';
const NEVER_ISSUED = 'A'.repeat(43);

async function countSessions(username: string): Promise<number> {
  const { rows } = await server.database.db.query<{ count: number }>(
    'select count(*) as count from sessions join users u on u.id = user_id where username = $1',
    [username],
  );
  return rows[0]?.count ?? 0;
}

describe('POST /api/auth/login', () => {
  test('whoever has the right password gets a session that opens what the role may see', async () => {
    const username = await addPerson(server);
    const answer = await server.client().post('/api/auth/login', { username, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ user: { username, role: 'user' }, mustChangePassword: false });
    const { client } = await logInAs(server, username);
    expect((await client.get('/api/domains')).status).toBe(200);
    expect((await client.get('/api/admin/users')).problem?.code).toBe('not-permitted');
  });

  test('capitals in the name do not matter, and composed and decomposed letters are the same password', async () => {
    const username = 'noel.of.night';
    await createUser(
      server.database.db,
      { username, role: 'user', password: 'no\u00ebl en d\u00e9cembre' },
      { name: 'test' },
    );
    const typed = { username: 'Noel.Of.Night', password: 'noe\u0308l en de\u0301cembre' };
    expect((await server.client().post('/api/auth/login', typed)).status).toBe(200);
  });

  test('the cookie is for no script, no other site, and lasts a day', async () => {
    const username = await addPerson(server);
    const answer = await server.client().post('/api/auth/login', { username, password: PASSWORD });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^forager_session=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('a wrong password, a name nobody has, and an account that is off are answered alike', async () => {
    const username = await addPerson(server);
    const off = await addPerson(server);
    await server.database.execute('update users set is_enabled = false where username = $1', [off]);
    const old = await addPerson(server);
    await server.database.execute(
      "update users set password_expires_at = now() - interval '1 second' where username = $1",
      [old],
    );
    const attempts = [
      { username, password: 'not the password' },
      { username: 'nobody.at.all', password: PASSWORD },
      { username: 'Not a name; at all', password: PASSWORD },
      { username: off, password: PASSWORD },
      { username: old, password: PASSWORD },
    ];
    const answers = await Promise.all(attempts.map((one) => server.client().post('/api/auth/login', one)));
    const seen = answers.map(({ status, problem, headers }) => ({
      ...{ status, code: problem?.code, detail: problem?.detail, hint: problem?.hint },
      cookie: headers.get('set-cookie'),
    }));
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(seen[0]).toMatchObject({ status: 401, code: 'bad-login', cookie: null });
  });

  test('a generated password lets in until it ends, and the answer says that it is to be changed', async () => {
    const created = await createUser(
      server.database.db,
      { username: 'ottilie', role: 'user' },
      { name: 'test' },
    );
    const typed = { username: 'ottilie', password: created.password };
    for (const _time of [1, 2]) {
      expect((await server.client().post('/api/auth/login', typed)).body).toMatchObject({
        mustChangePassword: true,
        passwordExpiresAt: expect.any(String),
      });
    }
    await server.database.execute(
      "update users set password_expires_at = now() - interval '1 second' where username = 'ottilie'",
    );
    expect((await server.client().post('/api/auth/login', typed)).problem?.code).toBe('bad-login');
  });

  test('each login has a token of its own and ends the session whose cookie came with it', async () => {
    const { username, token, client } = await enter(server);
    const again = await client.post('/api/auth/login', { username, password: PASSWORD });
    const next = tokenOf(again);
    expect(next).toBeDefined();
    expect(next).not.toBe(token);
    expect((await client.get('/api/auth/me')).status).toBe(401);
    expect((await server.client({ cookie: `forager_session=${next}` }).get('/api/auth/me')).status).toBe(200);
    expect(await countSessions(username)).toBe(1);
  });

  test('a cookie that somebody planted is not taken over', async () => {
    const username = await addPerson(server);
    const planted = server.client({ cookie: `forager_session=${NEVER_ISSUED}` });
    const answer = await planted.post('/api/auth/login', { username, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(tokenOf(answer)).not.toBe(NEVER_ISSUED);
    expect((await planted.get('/api/auth/me')).status).toBe(401);
  });

  test('a failed login leaves the session there was', async () => {
    const { username, client } = await enter(server);
    await client.post('/api/auth/login', { username, password: 'not the password' });
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });

  test.each([
    ['nothing', undefined],
    ['no password', { username: 'anna' }],
    ['a number for a name', { username: 1, password: PASSWORD }],
    ['one field too many', { username: 'anna', password: PASSWORD, role: 'admin' }],
    ['a name that is too long', { username: 'a'.repeat(101), password: PASSWORD }],
    ['a password that is too long', { username: 'anna', password: 'a'.repeat(1001) }],
    ['a NUL in the name', { username: 'an\u0000na', password: PASSWORD }],
  ])('%s is refused before anything is compared', async (_title, body) => {
    expect((await server.client().post('/api/auth/login', body)).problem?.code).toBe('invalid');
  });

  test('an outdated hash is made anew when its owner logs in', async () => {
    const username = await addPerson(server);
    const { hash } = await import('@node-rs/argon2');
    const weak = await hash(PASSWORD, { memoryCost: 1024, timeCost: 1 });
    await server.database.execute('update users set password_hash = $2 where username = $1', [
      username,
      weak,
    ]);
    await logInAs(server, username);
    const { rows } = await server.database.db.query<{ hash: string }>(
      'select password_hash as hash from users where username = $1',
      [username],
    );
    expect(rows[0]?.hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    await logInAs(server, username);
  });
});

describe('cookies that are no session', () => {
  test.each([
    ['forged', NEVER_ISSUED],
    ['garbage', '%00%ff;"\\'],
    ['empty', ''],
    ['far too long', 'a'.repeat(5000)],
    ['SQL', "' or 1=1 --"],
  ])('a %s one makes its sender anonymous, and public things still work', async (_title, value) => {
    const client = server.client({ cookie: `forager_session=${value}` });
    expect((await client.get('/api/auth/me')).problem?.code).toBe('not-logged-in');
    expect((await client.post('/api/auth/logout')).status).toBe(204);
  });

  test('one that has ended opens nothing', async () => {
    const { username, client } = await enter(server);
    await server.database.execute(
      "update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where username = $1)",
      [username],
    );
    expect((await client.get('/api/auth/me')).problem?.code).toBe('not-logged-in');
  });

  test('one of an account that was switched off in the database itself opens nothing', async () => {
    const { username, client } = await enter(server);
    await server.database.execute('update users set is_enabled = false where username = $1', [username]);
    expect((await client.get('/api/auth/me')).problem?.code).toBe('not-logged-in');
    await server.database.execute('update users set is_enabled = true where username = $1', [username]);
    // What was wrong is believed to be so for a second.
    await expect.poll(async () => (await client.get('/api/auth/me')).status, { timeout: 10_000 }).toBe(200);
  });

  test('the hash that is in the database is not a token', async () => {
    const { username } = await enter(server);
    const { rows } = await server.database.db.query<{ hash: Buffer }>(
      'select token_hash as hash from sessions join users u on u.id = user_id where username = $1',
      [username],
    );
    const stolen = rows[0]?.hash.toString('base64url') ?? '';
    expect(stolen).toHaveLength(43);
    const client = server.client({ cookie: `forager_session=${stolen}` });
    expect((await client.get('/api/auth/me')).status).toBe(401);
  });
});

describe('logging out', () => {
  test('the session ends and the cookie is cleared; a second time does nothing', async () => {
    const { username, client } = await enter(server);
    const answer = await client.post('/api/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^forager_session=; Path=\/; Max-Age=0; HttpOnly/);
    expect(await countSessions(username)).toBe(0);
    expect((await client.get('/api/auth/me')).status).toBe(401);
    expect((await client.post('/api/auth/logout')).status).toBe(204);
  });

  test('everywhere means all of one’s own sessions and nobody else’s', async () => {
    const mine = await enter(server);
    const elsewhere = await logInAs(server, mine.username);
    const other = await enter(server);
    const answer = await mine.client.post('/api/auth/logout-everywhere');
    expect(answer.body).toEqual({ endedSessions: 2 });
    expect((await elsewhere.client.get('/api/auth/me')).status).toBe(401);
    expect((await other.client.get('/api/auth/me')).status).toBe(200);
  });

  test('a key cannot log its owner out', async () => {
    const answer = await (await server.as('admin')).post('/api/auth/logout-everywhere');
    expect(answer.problem?.code).toBe('not-permitted');
  });
});

describe('GET /api/auth/me', () => {
  test('a session says who, what and until when', async () => {
    const { username, client } = await enter(server, 'admin');
    expect((await client.get('/api/auth/me')).body).toMatchObject({
      ...{ kind: 'session', username, role: 'admin', keyId: null, mustChangePassword: false },
      ...{ scopes: expect.arrayContaining(['self', 'accounts']), expiresAt: expect.any(String) },
    });
  });

  test('a key says whose it is, its name and its own scopes', async () => {
    const { body } = await (await server.as('admin', ['crawl'])).get('/api/auth/me');
    expect(body).toMatchObject({ kind: 'key', role: 'admin', sessionId: null, expiresAt: null });
    expect((body as { scopes: string[] }).scopes.sort()).toEqual(['crawl', 'known', 'public']);
    expect((body as { keyName: string }).keyName).toMatch(/^admin-/);
  });

  test('a bot is nobody’s', async () => {
    const { body } = await (await server.as('bot')).get('/api/auth/me');
    expect(body).toMatchObject({ kind: 'key', username: null, role: 'bot' });
  });

  test('anonymous is asked to log in', async () => {
    expect((await server.client().get('/api/auth/me')).problem?.code).toBe('not-logged-in');
  });
});

describe('POST /api/auth/password', () => {
  test('the new one holds, other sessions end, this one gets a new cookie', async () => {
    const mine = await enter(server);
    const elsewhere = await logInAs(server, mine.username);
    const answer = await mine.client.post('/api/auth/password', {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    expect(answer.status).toBe(200);
    const token = tokenOf(answer);
    expect(token).not.toBe(mine.token);
    expect((await mine.client.get('/api/auth/me')).status).toBe(401);
    expect((await elsewhere.client.get('/api/auth/me')).status).toBe(401);
    expect((await server.client({ cookie: `forager_session=${token}` }).get('/api/auth/me')).status).toBe(
      200,
    );
    const old = { username: mine.username, password: PASSWORD };
    expect((await server.client().post('/api/auth/login', old)).problem?.code).toBe('bad-login');
    await logInAs(server, mine.username, NEW_PASSWORD);
  });

  test('a generated password is one’s own from then on', async () => {
    const { password } = await createUser(
      server.database.db,
      { username: 'wilma', role: 'user' },
      { name: 'test' },
    );
    const { client } = await logInAs(server, 'wilma', password ?? '');
    const answer = await client.post('/api/auth/password', {
      currentPassword: password,
      newPassword: NEW_PASSWORD,
    });
    expect(answer.body).toMatchObject({ mustChangePassword: false, passwordExpiresAt: null });
    const me = await (await logInAs(server, 'wilma', NEW_PASSWORD)).client.get('/api/auth/me');
    expect(me.body).toMatchObject({ mustChangePassword: false });
  });

  test('the current one must be right, and the session stays when it is not', async () => {
    const { username, client } = await enter(server);
    const change = { currentPassword: 'not the password', newPassword: NEW_PASSWORD };
    expect((await client.post('/api/auth/password', change)).problem?.code).toBe('wrong-password');
    expect((await client.get('/api/auth/me')).status).toBe(200);
    await logInAs(server, username);
  });

  test('a generated one that has ended changes nothing, also not in a session that it began', async () => {
    const { password } = await createUser(
      server.database.db,
      { username: 'berta', role: 'user' },
      { name: 'test' },
    );
    const { client } = await logInAs(server, 'berta', password ?? '');
    await server.database.execute(
      "update users set password_expires_at = forager_now() - interval '1 second' where username = 'berta'",
    );
    const change = { currentPassword: password, newPassword: NEW_PASSWORD };
    expect((await client.post('/api/auth/password', change)).problem?.code).toBe('wrong-password');
    const again = await server
      .client()
      .post('/api/auth/login', { username: 'berta', password: NEW_PASSWORD });
    expect(again.problem?.code).toBe('bad-login');
  });

  test('one that fails is in the audit log, without what was typed', async () => {
    const { username, client } = await enter(server);
    const change = { currentPassword: 'hunter2 hunter2', newPassword: NEW_PASSWORD };
    const { problem } = await client.post('/api/auth/password', change);
    const admin = await server.as('admin');
    const audit = await admin.get('/api/admin/audit', {
      action: 'password.failed',
      actor: `user:${username}`,
    });
    expect(audit.body).toMatchObject({
      items: [{ target: username, address: '127.0.0.1', requestId: problem?.requestId }],
    });
    expect(audit.text).not.toContain('hunter2');
  });

  test.each([['password1234'], ['short'], ['aaaaaaaaaaaaaaa'], [PASSWORD]])(
    '"%s" is refused',
    async (newPassword) => {
      const { client } = await enter(server);
      const answer = await client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword });
      expect(answer.problem?.code).toBe('weak-password');
    },
  );

  test('keys stay unless they are to go', async () => {
    const mine = await enter(server);
    const made = await mine.client.post('/api/auth/keys', { name: 'mine', scopes: ['read'] });
    const program = server.client({ authorization: `Bearer ${(made.body as { token: string }).token}` });
    const kept = await mine.client.post('/api/auth/password', {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    expect((await program.get('/api/auth/me')).status).toBe(200);
    const client = server.client({ cookie: `forager_session=${tokenOf(kept)}` });
    const change = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD, revokeKeys: true };
    expect((await client.post('/api/auth/password', change)).status).toBe(200);
    expect((await program.get('/api/auth/me')).problem?.code).toBe('bad-key');
  });

  test('a key cannot change its owner’s password, anonymous nobody’s', async () => {
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const key = await server.as('admin');
    const { problem } = await key.post('/api/auth/password', change);
    expect(problem).toMatchObject({
      code: 'not-permitted',
      hint: expect.stringContaining('no key can do this'),
    });
    expect((await server.client().post('/api/auth/password', change)).problem?.code).toBe('not-logged-in');
  });
});

describe('one’s own sessions', () => {
  interface SessionItem {
    id: number;
    isCurrent: boolean;
  }
  const list = async (client: Awaited<ReturnType<typeof enter>>['client']): Promise<SessionItem[]> =>
    ((await client.get('/api/auth/sessions')).body as { items: SessionItem[] }).items;

  test('are listed with this one marked, and another one can be ended', async () => {
    const mine = await enter(server);
    const elsewhere = await logInAs(server, mine.username);
    const items = await list(mine.client);
    expect(items.map((one) => one.isCurrent)).toEqual([false, true]);
    expect((await mine.client.delete(`/api/auth/sessions/${items[0]?.id}`)).status).toBe(204);
    expect((await elsewhere.client.get('/api/auth/me')).status).toBe(401);
    expect(await list(mine.client)).toHaveLength(1);
  });

  test('when one was last seen is noted beside the request, once a minute', async () => {
    const { client } = await enter(server);
    const lastSeen = async (): Promise<string | undefined> =>
      ((await client.get('/api/auth/sessions')).body as { items: { lastSeenAt: string }[] }).items[0]
        ?.lastSeenAt;
    const begun = await lastSeen();
    expect(await lastSeen()).toBe(begun);
    await server.database.execute("update sessions set last_seen_at = last_seen_at - interval '2 minutes'");
    const earlier = new Date(Date.parse(begun ?? '') - 60_000).toISOString();
    await expect.poll(async () => ((await lastSeen()) ?? '') > earlier).toBe(true);
  });

  test('come in pages', async () => {
    const mine = await enter(server);
    await logInAs(server, mine.username);
    const first = (await mine.client.get('/api/auth/sessions', { limit: 1 })).body as {
      items: SessionItem[];
      nextCursor: string;
    };
    const second = await mine.client.get('/api/auth/sessions', { limit: 1, cursor: first.nextCursor });
    expect(second.body).toMatchObject({ items: [{ isCurrent: true }], nextCursor: null });
    expect((await mine.client.get('/api/auth/sessions', { cursor: 'bogus' })).problem?.code).toBe(
      'bad-cursor',
    );
  });

  test('somebody else’s cannot be ended and does not exist', async () => {
    const mine = await enter(server);
    const other = await enter(server);
    const [theirs] = await list(other.client);
    const answer = await mine.client.delete(`/api/auth/sessions/${theirs?.id}`);
    expect(answer.problem?.code).toBe('unknown-session');
    expect((await other.client.get('/api/auth/me')).status).toBe(200);
    expect((await mine.client.delete('/api/auth/sessions/nonsense')).problem?.code).toBe('invalid');
  });
});

describe('one’s own keys', () => {
  interface Made {
    token: string;
    key: { id: number; prefix: string };
  }

  test('a key is shown once, works with its scopes, and no longer when it is revoked', async () => {
    const mine = await enter(server, 'admin');
    const answer = await mine.client.post('/api/auth/keys', { name: 'nightly', scopes: ['read', 'crawl'] });
    expect(answer.status).toBe(201);
    const { token, key } = answer.body as Made;
    expect(token).toMatch(/^fgr_[\w-]{43}$/);
    expect(token.startsWith(key.prefix)).toBe(true);
    const program = server.client({ authorization: `Bearer ${token}` });
    expect((await program.get('/api/domains')).status).toBe(200);
    expect((await program.get('/api/admin/users')).problem?.code).toBe('not-permitted');
    const listed = await mine.client.get('/api/auth/keys');
    expect(listed.body).toMatchObject({ items: [{ id: key.id, isActive: true, scopes: ['read', 'crawl'] }] });
    expect(listed.text).not.toContain(token);
    expect((await mine.client.delete(`/api/auth/keys/${key.id}`)).status).toBe(204);
    expect((await program.get('/api/domains')).problem?.code).toBe('bad-key');
    expect((await mine.client.delete(`/api/auth/keys/${key.id}`)).problem?.code).toBe('key-revoked');
  });

  test('nobody can give a key more than they have', async () => {
    const { client } = await enter(server);
    for (const scope of ['crawl', 'manage', 'accounts', 'work']) {
      const answer = await client.post('/api/auth/keys', { name: 'greedy', scopes: ['read', scope] });
      expect(answer.problem?.code).toBe('not-permitted');
    }
    const self = await client.post('/api/auth/keys', { name: 'greedy', scopes: ['self'] });
    expect(self.problem?.code).toBe('invalid');
  });

  test('a key ends when it says, and cannot be made to have ended', async () => {
    const { client } = await enter(server);
    const past = { name: 'late', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' };
    expect((await client.post('/api/auth/keys', past)).problem?.code).toBe('invalid');
    const made = await client.post('/api/auth/keys', { ...past, expiresAt: '2200-01-01T00:00:00+02:00' });
    const { token, key } = made.body as Made;
    const program = server.client({ authorization: `Bearer ${token}` });
    expect((await program.get('/api/auth/me')).body).toMatchObject({ expiresAt: '2199-12-31T22:00:00.000Z' });
    await server.database.execute("update api_keys set expires_at = now() - interval '1 s' where id = $1", [
      key.id,
    ]);
    expect((await program.get('/api/auth/me')).problem?.code).toBe('bad-key');
    expect((await client.get('/api/auth/keys')).body).toMatchObject({ items: [{ isActive: false }] });
  });

  test('somebody else’s key is not there', async () => {
    const mine = await enter(server);
    const other = await enter(server);
    const made = await other.client.post('/api/auth/keys', { name: 'theirs', scopes: ['read'] });
    const { key } = made.body as Made;
    expect((await mine.client.delete(`/api/auth/keys/${key.id}`)).problem?.code).toBe('unknown-key');
    expect((await mine.client.get('/api/auth/keys')).body).toMatchObject({ items: [] });
  });

  test.each([
    ['no scopes', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['everything'] }],
    ['no name', { name: '', scopes: ['read'] }],
    ['a line break in the name', { name: 'a\nb', scopes: ['read'] }],
    ['a time without a zone', { name: 'x', scopes: ['read'], expiresAt: '2200-01-01T00:00:00' }],
  ])('%s is refused', async (_title, body) => {
    const { client } = await enter(server);
    expect((await client.post('/api/auth/keys', body)).problem?.code).toBe('invalid');
  });

  test('a hundred keys are enough for anybody', async () => {
    const { username, client } = await enter(server);
    await server.database.execute(
      `insert into api_keys (key_hash, prefix, name, user_id, role, scopes, created_by)
       select sha256(('many' || n)::bytea), 'fgr_', 'many', u.id, 'user', '{read}', 'test'
         from users u, generate_series(1, 100) n where username = $1`,
      [username],
    );
    const answer = await client.post('/api/auth/keys', { name: 'one more', scopes: ['read'] });
    expect(answer.problem?.code).toBe('too-many-keys');
  });

  test('keys are made by people, not by keys', async () => {
    const answer = await (await server.as('admin')).post('/api/auth/keys', { name: 'x', scopes: ['read'] });
    expect(answer.problem?.code).toBe('not-permitted');
  });
});

describe('keys that are none', () => {
  test.each([
    ['of nobody', `Bearer fgr_${NEVER_ISSUED}`],
    ['without its prefix', `Bearer ${NEVER_ISSUED}`],
    ['of another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['that is empty', 'Bearer '],
  ])('a key %s is refused, also where no key is needed', async (_title, authorization) => {
    const client = server.client({ authorization });
    expect((await client.get('/api/auth/me')).problem?.code).toBe('bad-key');
    expect((await client.post('/api/auth/logout')).status).toBe(401);
  });
});
