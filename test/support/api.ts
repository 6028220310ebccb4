/** A real server on a free port with a database of its own, and clients of every role. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openParts } from '../../src/api/open-parts.ts';
import { createServer } from '../../src/api/server.ts';
import { SERVER_LIMITS, type ServerLimits } from '../../src/api/server-limits.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import type { KeyScope } from '../../src/contract/access.ts';
import type { Problem } from '../../src/contract/problems.ts';
import { hashKeyToken, newKeyToken, prefixOfKey } from '../../src/control/access/secrets.ts';
import { type ConfigOverrides, loadConfig } from '../../src/platform/config.ts';
import { checkAnswer } from './check-answer.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body. */
  readonly body: unknown;
  /** The body, when it is a problem. */
  readonly problem: Problem | undefined;
}

export interface ApiRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

export interface ApiClient {
  request(method: string, path: string, request?: ApiRequest): Promise<ApiAnswer>;
  get(path: string, query?: ApiRequest['query']): Promise<ApiAnswer>;
  post(path: string, body?: unknown, headers?: ApiRequest['headers']): Promise<ApiAnswer>;
  patch(path: string, body?: unknown): Promise<ApiAnswer>;
  delete(path: string, query?: ApiRequest['query']): Promise<ApiAnswer>;
}

export type TestRole = 'anonymous' | 'user' | 'admin' | 'bot';

export interface TestServer {
  readonly url: string;
  readonly parts: ServerParts;
  readonly database: TestDatabase;
  /** A client that shows a key of that role with everything the role may do; a new account each time it is asked for. */
  as(role: TestRole, scopes?: readonly KeyScope[]): Promise<ApiClient>;
  /** A key of that role, for whoever sends requests by other means. */
  keyOf(role: Exclude<TestRole, 'anonymous'>, scopes?: readonly KeyScope[]): Promise<string>;
  /** A client that sends these headers and nothing else. */
  client(headers?: Readonly<Record<string, string>>): ApiClient;
  /** Lines of the log. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/** Limits that no test runs into unless it wants to. */
const ROOMY: ConfigOverrides = {
  rateAnonymous: 1_000_000,
  rateUser: 1_000_000,
  rateAdmin: 1_000_000,
  rateBot: 1_000_000,
  rateSeed: 1_000_000,
};

/** No test writes a key into anybody's data directory. */
const SECRET_KEY = 'ab'.repeat(32);

const ROOMY_LIMITS: Partial<ServerLimits> = {
  ...{ loginsPerMinute: 1_000_000, badCredentialsPerMinute: 1_000_000, crossSitePerMinute: 1_000_000 },
  atOnce: { anonymous: 1_000_000, user: 1_000_000, admin: 1_000_000, bot: 1_000_000 },
};

export async function startTestServer(
  overrides: ConfigOverrides = {},
  limits: Partial<ServerLimits> = {},
): Promise<TestServer> {
  const database = await createTestDatabase();
  // Pages that bots hand in are kept: not in anybody's own data directory.
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'forager-test-api-'));
  const config = loadConfig(
    { databaseUrl: database.url, port: 0, secretKey: SECRET_KEY, dataDir, ...ROOMY, ...overrides },
    {},
  );
  const log: string[] = [];
  const parts = await openParts({ config, db: database.db, slowDb: database.db });
  const output = { level: config.logLevel, stream: { write: (line: string) => void log.push(line) } };
  const app = await createServer(parts, output, { ...SERVER_LIMITS, ...ROOMY_LIMITS, ...limits });
  const url = await app.listen({ host: config.host, port: 0 });
  const client = (headers: Readonly<Record<string, string>> = {}): ApiClient => makeClient(url, headers);
  return {
    ...{ url, parts, database, log, client },
    as: async (role, scopes) => {
      if (role === 'anonymous') return client();
      return client({ authorization: `Bearer ${await addKey(database, role, scopes)}` });
    },
    keyOf: (role, scopes) => addKey(database, role, scopes),
    close: async () => {
      await app.close();
      await parts.close();
      await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const EVERYTHING: Readonly<Record<Exclude<TestRole, 'anonymous'>, readonly KeyScope[]>> = {
  user: ['read'],
  admin: ['read', 'crawl', 'manage', 'accounts'],
  bot: ['work'],
};
let names = 0;

async function addKey(
  { execute }: TestDatabase,
  role: Exclude<TestRole, 'anonymous'>,
  scopes = EVERYTHING[role],
): Promise<string> {
  const token = newKeyToken();
  names += 1;
  const name = `${role}-${names}`;
  const owner =
    role === 'bot'
      ? undefined
      : await execute<{ id: number }>(
          "insert into users (username, role, password_hash) values ($1, $2, '-') returning id",
          [name, role],
        );
  await execute(
    'insert into api_keys (key_hash, prefix, name, user_id, role, scopes, created_by) values ($1, $2, $3, $4, $5, $6, $7)',
    [hashKeyToken(token), prefixOfKey(token), name, owner?.rows[0]?.id ?? null, role, scopes, 'test'],
  );
  return token;
}

function makeClient(base: string, headers: Readonly<Record<string, string>>): ApiClient {
  const request: ApiClient['request'] = async (method, path, { body, headers: more, query } = {}) => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const isJson = /^application\/(?:problem\+)?json/.test(type);
    const parsed: unknown = isJson ? JSON.parse(text) : undefined;
    checkAnswer(method, url.pathname, response, parsed);
    const problem = type.startsWith('application/problem+json') ? (parsed as Problem) : undefined;
    return { status: response.status, headers: response.headers, text, body: parsed, problem };
  };
  return {
    request,
    get: (path, query) => request('GET', path, query === undefined ? {} : { query }),
    post: (path, body, more) =>
      request('POST', path, { body, ...(more === undefined ? {} : { headers: more }) }),
    patch: (path, body) => request('PATCH', path, { body }),
    delete: (path, query) => request('DELETE', path, query === undefined ? {} : { query }),
  };
}
