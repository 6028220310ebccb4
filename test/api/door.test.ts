/** What happens before a route is reached: who is asked who they are, what it costs them, and who is turned away. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newKeyToken, newSessionToken } from '../../src/control/access/secrets.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { startCutOffServer } from '../support/cut-off-server.ts';
import { addPerson, enter, logInAs, PASSWORD } from '../support/people.ts';
import { sendRaw } from '../support/raw-http.ts';

const wrongKey = (): Record<string, string> => ({ authorization: `Bearer ${newKeyToken()}` });
const wrongCookie = (): Record<string, string> => ({ cookie: `forager_session=${newSessionToken()}` });

test('a database that is away is a 503 for as long as it is, and costs nobody a request', async () => {
  const cutOff = await startCutOffServer({ rateAnonymous: 2 });
  try {
    const ask = (headers: Record<string, string> = {}) =>
      fetch(new URL('/api/docs', cutOff.url), { headers });
    cutOff.proxy.cut();
    for (const headers of [wrongKey(), wrongCookie(), wrongKey(), wrongCookie(), wrongKey()]) {
      const answer = await ask(headers);
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([503, null]);
    }
    cutOff.proxy.mend();
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
  } finally {
    await cutOff.close();
  }
});

describe('probes', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  test.each(['/health', '/metrics', '/api/docs/docs.css', '/api/docs/docs.js'])(
    'nobody who asks for %s is asked who they are',
    async (path) => {
      await server.client().get(path);
      // Whoever looked a key up there would wait for this.
      await server.database.execute('alter table api_keys rename to hidden_keys');
      await server.database.execute('alter table sessions rename to hidden_sessions');
      try {
        for (const headers of [wrongKey(), wrongCookie(), { authorization: 'nonsense' }]) {
          expect((await server.client(headers).get(path)).status).toBe(200);
        }
        expect((await server.client(wrongKey()).get('/api/docs')).status).toBe(500);
      } finally {
        await server.database.execute('alter table hidden_keys rename to api_keys');
        await server.database.execute('alter table hidden_sessions rename to sessions');
      }
    },
  );
});

describe('wrong keys and cookies', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({}, { badCredentialsPerMinute: 5 });
  });
  afterEach(() => server.close());

  test.each([
    ['keys', wrongKey, 401],
    ['cookies', wrongCookie, 200],
  ])(
    'too many %s from an address and no more are looked at; whoever is logged in there goes on',
    async (_what, make, status) => {
      const { client } = await enter(server);
      expect((await client.get('/api/auth/me')).status).toBe(200);
      for (let n = 0; n < 5; n += 1)
        expect((await server.client(make()).get('/api/stats')).status).toBe(status);
      const refused = await server.client(make()).get('/api/stats');
      expect([refused.status, refused.problem?.code]).toEqual([429, 'rate-limited']);
      expect(refused.problem?.detail).toContain('bad-credentials');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await client.get('/api/auth/me')).status).toBe(200);
      expect((await server.client().get('/api/stats')).status).toBe(200);
      // Whoever logs in meanwhile is let in, and known from then on.
      const newcomer = await logInAs(server, await addPerson(server));
      expect((await newcomer.client.get('/api/auth/me')).status).toBe(200);
    },
  );
});

describe('logging in', () => {
  test('has a count of its own, which nothing else from the same address uses up', async () => {
    const server = await startTestServer({ rateAnonymous: 2 }, { loginsPerMinute: 3 });
    try {
      const username = await addPerson(server);
      const codes = [];
      for (let n = 0; n < 3; n += 1) codes.push((await server.client().get('/api/stats')).status);
      expect(codes).toEqual([200, 200, 429]);
      const logIn = () =>
        server.client(wrongCookie()).post('/api/auth/login', { username, password: PASSWORD });
      const first = await logIn();
      expect(first.status).toBe(200);
      expect(first.headers.get('ratelimit-policy')).toBe('"login";q=3;w=60');
      await logIn();
      await logIn();
      const refused = await logIn();
      expect([refused.status, refused.problem?.code]).toEqual([429, 'rate-limited']);
    } finally {
      await server.close();
    }
  });
});

describe('pages of other sites', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ rateAnonymous: 3 }, { crossSitePerMinute: 4, loginsPerMinute: 3 });
  });
  afterEach(() => server.close());

  /** As a browser does: fetch has its own idea of some of these headers. */
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return sendRaw(server.url, `${method} ${path} HTTP/1.1\r\n${head}\r\n`);
  };
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  test.each([
    ['GET', image],
    ['GET', { ...image, 'sec-fetch-site': 'same-site' }],
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['GET', { ...link, 'sec-fetch-dest': 'iframe' }],
    ['HEAD', link],
    ['OPTIONS', { ...image, 'sec-fetch-mode': 'cors' }],
    ['POST', link],
    ['DELETE', image],
  ])('cannot send %s %o, not even with a key that is right', async (method, headers) => {
    const { status, text } = await send(method, '/api/domains', {
      ...{ ...headers, authorization: `Bearer ${await server.keyOf('admin')}` },
    });
    expect(status).toBe(403);
    if (method !== 'HEAD') expect(text).toContain('"code":"cross-site"');
    expect(text).toContain('ratelimit-policy: "cross-site";q=4;w=60');
  });

  test('take nothing from what their visitor may ask for, wherever they send it', async () => {
    const paths = ['/api/stats', '/%61pi/stats', '/api/nothing', '/nothing', '/%zz', '/api/docs'];
    for (const path of paths) expect([403, 429]).toContain((await server.client(image).get(path)).status);
    for (const path of paths) {
      expect((await server.client(image).post(path, {})).problem?.code).toBe('rate-limited');
    }
    const { headers, status } = await server.client().get('/api/stats');
    expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '2']);
    await enter(server);
  });

  test('can link here, and our own pages can ask', async () => {
    expect((await send('GET', '/api/docs', link)).status).toBe(200);
    for (const site of ['same-origin', 'none']) {
      expect((await server.client({ ...image, 'sec-fetch-site': site }).get('/api/stats')).status).toBe(200);
    }
  });
});

describe('names of a server on loopback', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ rateAnonymous: 3, publicUrl: 'https://forager.example.com' });
  });
  afterAll(() => server.close());

  const ask = async (path: string, host: string, version = '1.1'): Promise<number | undefined> => {
    const line = host === '' ? '' : `Host: ${host}\r\n`;
    return (await sendRaw(server.url, `GET ${path} HTTP/${version}\r\n${line}Connection: close\r\n\r\n`))
      .status;
  };

  test.each(['/health', '/metrics', '/api/docs/docs.css', '/api/stats', '/nothing', '/%zz'])(
    '%s is not for those who call it by another name, and their visitor pays nothing for it',
    async (path) => {
      for (const host of [
        'evil.example',
        'localhost.evil.example',
        'evil.example:80',
        'x@127.0.0.1@evil.example',
      ]) {
        expect(await ask(path, host)).toBe(421);
      }
      const { headers } = await server.client().get('/api/nothing');
      expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=3;w=60');
    },
  );

  test.each([
    '127.0.0.1',
    '10.0.0.7:8080',
    '[::1]:80',
    '[2001:db8::1]',
    'localhost',
    'forager.example.com:443',
  ])('probes that call it %s are answered', async (host) => {
    expect(await ask('/health', host)).toBe(200);
  });

  test('a probe of an old kind, which names nothing, is answered', async () => {
    expect(await ask('/health', '', '1.0')).toBe(200);
  });
});
