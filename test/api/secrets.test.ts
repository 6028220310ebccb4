/** What must not be found anywhere: passwords and tokens. And requests that other sites make a browser send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { addPerson, enter, logInAs, PASSWORD, tokenOf } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ logLevel: 'trace' });
});
afterAll(() => server.close());

const WRONG = 'a guess that is quite wrong';
const OWN = 'a kettle sings in the cellar';

describe('secrets', () => {
  test('are in no log line, no audit row, no list, and no table', async () => {
    const admin = await enter(server, 'admin');
    const tokens: (string | undefined)[] = [admin.token];
    const person = await enter(server);
    tokens.push(person.token);
    await server.client().post('/api/auth/login', { username: person.username, password: WRONG });
    const changed = await person.client.post('/api/auth/password', {
      currentPassword: PASSWORD,
      newPassword: OWN,
    });
    tokens.push(tokenOf(changed));
    const again = await logInAs(server, person.username, OWN);
    tokens.push(again.token);
    const key = (await again.client.post('/api/auth/keys', { name: 'one', scopes: ['read'] })).body;
    const bot = (await admin.client.post('/api/admin/keys', { name: 'robby' })).body;
    const made = (await admin.client.post('/api/admin/users', { username: 'made', role: 'user' })).body;
    const reset = (await admin.client.post(`/api/admin/users/${person.username}/password`)).body;
    tokens.push((key as { token: string }).token, (bot as { token: string }).token);
    const generated = [made, reset].map((one) => (one as { password: string }).password);
    await server.client({ authorization: `Bearer ${(bot as { token: string }).token}` }).get('/api/auth/me');
    await server.client({ authorization: `Bearer fgr_${'x'.repeat(43)}` }).get('/api/auth/me');
    tokens.push('x'.repeat(43));
    const secrets = [...tokens, ...generated, PASSWORD, WRONG, OWN];
    expect(secrets).not.toContain(undefined);

    const lists = await Promise.all([
      ...['users', 'keys', 'audit'].map((name) => admin.client.get(`/api/admin/${name}`, { limit: 200 })),
      ...['sessions', 'keys', 'me'].map((name) => admin.client.get(`/api/auth/${name}`)),
    ]);
    expect(lists.map((list) => list.status)).toEqual([200, 200, 200, 200, 200, 200]);
    const places = {
      log: server.log.join('\n'),
      lists: lists.map((list) => list.text).join('\n'),
      tables: await dumpTables(),
    };
    expect(places.log).toContain('/api/auth/login');
    expect(places.tables).toContain(person.username);
    for (const [place, text] of Object.entries(places)) {
      for (const secret of secrets) expect(text.includes(secret ?? ''), `${secret} in ${place}`).toBe(false);
    }
    expect(`${places.log}${places.lists}`).not.toContain('$argon2');
  });

  test('a name that nobody has may be a password: the audit log does not repeat it', async () => {
    const admin = await enter(server, 'admin');
    await server.client().post('/api/auth/login', { username: 'hunter2hunter2', password: 'x' });
    const { text } = await admin.client.get('/api/admin/audit', { action: 'login.failed', limit: 200 });
    expect(text).toContain('"isKnown":false');
    expect(text).not.toContain('hunter2');
    expect(server.log.join('\n')).not.toContain('hunter2');
  });
});

/** Every row of every table, as text. */
async function dumpTables(): Promise<string> {
  const { db } = server.database;
  const { rows: tables } = await db.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      db.query<{ text: string | null }>(`select string_agg(t::text, e'\\n') as text from ${name} t`),
    ),
  );
  return texts.map(({ rows }) => rows[0]?.text ?? '').join('\n');
}

describe('a page of another site', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];

  test.each(foreign)('cannot log anybody in: %o', async (headers) => {
    const username = await addPerson(server);
    const answer = await server.client(headers).post('/api/auth/login', { username, password: PASSWORD });
    expect(answer.problem?.code).toBe('cross-site');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('cannot use a session through any door that changes something', async () => {
    const { token, client } = await enter(server, 'admin');
    const unsafe = makeRoutes({} as ServerParts)
      .map((route) => route.endpoint)
      .filter((endpoint) => endpoint.method !== 'GET');
    expect(unsafe.length).toBeGreaterThan(10);
    for (const { method, path } of unsafe) {
      for (const headers of foreign) {
        const answer = await server
          .client({ ...headers, cookie: `forager_session=${token}` })
          .request(method, path.replaceAll(/:\w+/g, '1'), { body: {} });
        expect(answer.problem?.code, `${method} ${path}`).toBe('cross-site');
      }
    }
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });

  test('while our own pages, and programs, can', async () => {
    const username = await addPerson(server);
    const body = { username, password: PASSWORD };
    for (const headers of [{ origin: server.url, 'sec-fetch-site': 'same-origin' }, {}]) {
      expect((await server.client(headers).post('/api/auth/login', body)).status).toBe(200);
    }
  });
});

describe('cookies over https', () => {
  test('are for https only, when a proxy says so or the settings do', async () => {
    for (const [overrides, headers] of [
      [{ trustedProxies: ['127.0.0.1'] }, { 'x-forwarded-proto': 'https' }],
      [{ secureCookies: true }, {}],
    ] as const) {
      const secure = await startTestServer(overrides);
      try {
        const username = await addPerson(secure);
        const client = secure.client(headers);
        const answer = await client.post('/api/auth/login', { username, password: PASSWORD });
        expect(answer.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
        const gone = await client.post('/api/auth/logout');
        expect(gone.headers.get('set-cookie')).toMatch(/; Secure$/);
      } finally {
        await secure.close();
      }
    }
  });

  test('a client that is no proxy cannot say so', async () => {
    const username = await addPerson(server);
    const client = server.client({ 'x-forwarded-proto': 'https' });
    const answer = await client.post('/api/auth/login', { username, password: PASSWORD });
    expect(answer.headers.get('set-cookie')).not.toContain('Secure');
  });
});
