/**
 * Every door of the server, tried by everybody. Driven by the table of routes: a new one is in here by itself, and has
 * to keep to the boundaries below. The requests carry a field nobody knows, so that whoever is let in is refused for
 * that: no handler runs, nothing is changed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRoutes } from '../../src/api/routes.ts';
import { createServer } from '../../src/api/server.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { KEY_SCOPES, SCOPES, type Scope, scopesOfKey, scopesOfRole } from '../../src/contract/access.ts';
import { type Endpoint, GROUPS } from '../../src/contract/endpoint.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { enter } from '../support/people.ts';

const endpoints: readonly Endpoint[] = makeRoutes({} as ServerParts).map((route) => route.endpoint);
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

interface Visitor {
  readonly title: string;
  readonly scopes: readonly Scope[];
  readonly isKnown: boolean;
  readonly client: ApiClient;
}

let server: TestServer;
const visitors: Visitor[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const add = (title: string, scopes: readonly Scope[], client: ApiClient): void => {
    visitors.push({ title, scopes, client, isKnown: title !== 'anonymous' });
  };
  add('anonymous', ['public'], server.client());
  for (const role of ['user', 'admin'] as const) {
    add(`${role} by session`, scopesOfRole(role), (await enter(server, role)).client);
  }
  add('user by key', ['public', 'known', 'read'], await server.as('user'));
  for (const scope of KEY_SCOPES) {
    add(`admin by key with "${scope}"`, scopesOfKey('admin', [scope]), await server.as('admin', [scope]));
  }
  add('bot by key', ['public', 'known', 'work'], await server.as('bot'));
});
afterAll(() => server.close());

/** Names nobody has. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { id: '999999999', domain: 'nowhere.invalid' };

function harmlessPath({ path }: Endpoint): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => PLACEHOLDERS[name] ?? 'nothing-such');
}

function tryDoor(visitor: Visitor, endpoint: Endpoint, method: string = endpoint.method) {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return visitor.client.request(method, harmlessPath(endpoint), {
    query: { 'no-such-field': '1' },
    ...(hasBody ? { body: { 'no-such-field': 1 } } : {}),
  });
}

describe.each(endpoints.map((endpoint) => ({ title: nameOf(endpoint), endpoint })))(
  '$title',
  ({ endpoint }) => {
    test('lets in whoever has its scope, asks strangers to log in, and refuses the rest', async () => {
      const seen: Record<string, string> = {};
      const expected: Record<string, string> = {};
      for (const visitor of visitors) {
        const { status, problem } = await tryDoor(visitor, endpoint);
        seen[visitor.title] = describeAnswer(status, problem?.code);
        if (visitor.scopes.includes(endpoint.allows)) expected[visitor.title] = 'let in';
        else expected[visitor.title] = visitor.isKnown ? '403 not-permitted' : '401 not-logged-in';
      }
      expect(seen).toEqual(expected);
    });
  },
);

function describeAnswer(status: number, code: string | undefined): string {
  if (status === 401 || status === 403) return `${status} ${code}`;
  return status < 500 || code === 'overloaded' ? 'let in' : `failed with ${status} ${code}`;
}

test('the visitors are still who they were: no request above has done anything', async () => {
  for (const { client, isKnown } of visitors) {
    expect((await client.get('/api/auth/me')).status).toBe(isKnown ? 200 : 401);
  }
});

test('what is asked for by HEAD is guarded like what is asked for by GET', async () => {
  const [anonymous] = visitors;
  if (anonymous === undefined) throw new Error('nobody is there');
  for (const endpoint of endpoints.filter(({ method, allows }) => method === 'GET' && allows !== 'public')) {
    const response = await fetch(new URL(harmlessPath(endpoint), server.url), { method: 'HEAD' });
    expect(response.status, nameOf(endpoint)).toBe(401);
  }
});

describe('every route', () => {
  test.each(endpoints.map((endpoint) => ({ title: nameOf(endpoint), endpoint })))(
    '$title says what it is, who may use it, and is there once',
    ({ endpoint }) => {
      expect(SCOPES).toContain(endpoint.allows);
      expect(Object.keys(GROUPS)).toContain(endpoint.group);
      expect(endpoint.summary).toMatch(/\S/);
      expect(endpoints.filter((one) => nameOf(one) === nameOf(endpoint))).toHaveLength(1);
      expect(endpoints.filter((one) => one.name === endpoint.name)).toHaveLength(1);
      const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const shape = (endpoint.params as { shape?: object } | undefined)?.shape ?? {};
      expect(Object.keys(shape)).toEqual(named);
    },
  );
});

test('a route that is not in the table, and so says nothing of who may use it, is for nobody', async () => {
  const app = await createServer(server.parts, { level: 'silent', stream: { write: () => undefined } });
  try {
    app.get('/forgotten', async () => 'come in');
    const answer = await app.inject({ url: '/forgotten', headers: { host: 'localhost' } });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('come in');
  } finally {
    await app.close();
  }
});

/** Boundaries between the roles: who may do what at most, whatever a route says of itself. */
describe('boundaries', () => {
  const mayUse = (role: 'anonymous' | 'user' | 'admin' | 'bot', { allows }: Endpoint): boolean =>
    scopesOfRole(role).includes(allows);
  const namesWhere = (test: (endpoint: Endpoint) => boolean): string[] => endpoints.filter(test).map(nameOf);
  const isOwnAffair = ({ path }: Endpoint): boolean => path.startsWith('/api/auth/');

  test('administrators may do everything but a bot’s work', () => {
    expect(namesWhere((one) => !mayUse('admin', one) && one.allows !== 'work')).toEqual([]);
  });

  test('what is under /api/admin is for administrators', () => {
    expect(namesWhere((one) => one.path.startsWith('/api/admin') && mayUse('user', one))).toEqual([]);
  });

  test('users read, and change nothing but their own account', () => {
    expect(namesWhere((one) => one.method !== 'GET' && mayUse('user', one) && !isOwnAffair(one))).toEqual([]);
  });

  test('what adds to the frontier, and what deletes, is for administrators', () => {
    const isGuarded = ({ method, path }: Endpoint): boolean =>
      (method === 'POST' && path.startsWith('/api/frontier/')) || method === 'DELETE';
    expect(namesWhere((one) => isGuarded(one) && mayUse('user', one) && !isOwnAffair(one))).toEqual([]);
    expect(namesWhere((one) => isGuarded(one) && mayUse('bot', one))).toEqual([]);
  });

  test('users may read everything that is not about other people’s accounts', () => {
    const isRead = ({ method, path }: Endpoint): boolean =>
      method === 'GET' && !path.startsWith('/api/admin');
    expect(namesWhere((one) => isRead(one) && !mayUse('user', one))).toEqual([]);
  });

  test('anonymous sees that the server lives, its figures and its documentation, and can log in', () => {
    const isOpen = (path: string): boolean =>
      ['/', '/favicon.ico', '/health', '/metrics', '/api/stats', '/api/openapi.json'].includes(path) ||
      ['/api/auth/login', '/api/auth/logout'].includes(path) ||
      /^\/api\/docs(?:\/|$)/.test(path);
    expect(namesWhere((one) => mayUse('anonymous', one) && !isOpen(one.path))).toEqual([]);
    expect(namesWhere((one) => !mayUse('anonymous', one) && isOpen(one.path))).toEqual([]);
  });

  test('bots see no more than anonymous, but for who they are and their work', () => {
    expect(namesWhere((one) => mayUse('bot', one) && !mayUse('anonymous', one))).toEqual(
      namesWhere((one) => one.allows === 'work' || one.name === 'getMe'),
    );
  });

  test('a key has nothing to do with its owner’s password, sessions and keys', () => {
    for (const role of ['user', 'admin'] as const)
      expect(scopesOfKey(role, [...SCOPES])).not.toContain('self');
    expect(namesWhere((one) => one.allows === 'self')).toEqual(
      namesWhere((one) => isOwnAffair(one) && !['login', 'logout', 'getMe'].includes(one.name)),
    );
  });
});
