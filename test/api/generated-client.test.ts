/**
 * The document is only as good as what others make of it: a client is generated from it, compiled in strict mode
 * together with a program that uses it, and run against the server.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/control/access/passwords.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = path.join(root, 'node_modules');
const PASSWORD = 'a rather long password 1';

/** Written as a stranger would who has nothing but the generated file. */
const PROGRAM = `
import * as forager from './client.ts';

const [, , baseUrl = '', key = '', password = ''] = process.argv;
forager.defaults.baseUrl = baseUrl;
const withKey = { headers: { Authorization: \`Bearer \${key}\` } };
const seen: Record<string, unknown> = {};

const health = await forager.getHealth();
if (health.status !== 200) throw new Error(health.data.detail);
seen.health = health.data.status satisfies 'ok' | 'degraded' | 'down';

const stats = await forager.getStats();
if (stats.status !== 200) throw new Error(stats.data.detail);
seen.pages = stats.data.totals.pages satisfies number;

const refused = await forager.listDomains({});
if (refused.status !== 401) throw new Error('nobody may list domains');
seen.refused = refused.data.code;

const seeded = await forager.seedUrls(
  { body: { urls: ['https://one.example/', 'https://two.example/a?b=c'] }, idempotencyKey: 'first' },
  withKey,
);
seen.seeded = [seeded.status, seeded.data];
const again = await forager.seedUrls(
  { body: { urls: ['https://one.example/', 'https://two.example/a?b=c'] }, idempotencyKey: 'first' },
  withKey,
);
seen.again = [again.status, again.data];

const domains = await forager.listDomains({ limit: 1, sort: 'domain', order: 'desc' }, withKey);
if (domains.status !== 200) throw new Error(domains.data.detail);
seen.first = domains.data.items.map(({ domain }) => domain satisfies string);
const next = await forager.listDomains(
  { limit: 1, sort: 'domain', order: 'desc', cursor: domains.data.nextCursor ?? '' },
  withKey,
);
seen.second = next.status === 200 ? next.data.items.map(({ domain }) => domain) : next.data;

const all = await forager.listDomains({}, withKey);
seen.domains = [all.status, all.data];
const one = await forager.getDomain({ domain: 'one.example' }, withKey);
seen.domain = one.status === 200 ? (one.data.domain satisfies string) : one.data;
const unknown = await forager.getDomain({ domain: 'other.example' }, withKey);
seen.unknown = unknown.status === 404 ? unknown.data.code : unknown.status;

const pages = await forager.listPages({ domain: 'one.example', isGone: false }, withKey);
seen.listedPages = [pages.status, pages.data];

const asked = await forager.purgePages({ domain: 'one.example' }, withKey);
if (asked.status !== 202) throw new Error(asked.data.detail);
const job = await forager.readJob({ id: asked.data.id }, withKey);
seen.job = job.status === 200 ? [job.data.kind, job.data.id === asked.data.id] : job.data;

const login = await forager.login({ body: { username: 'anna', password } });
if (login.status !== 200) throw new Error(login.data.detail);
const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
const me = await forager.getMe({ headers: { Cookie: cookie } });
seen.me = [me.status, me.data];

const wrong = await forager.listDomains({ limit: 0 }, withKey);
seen.wrong = wrong.status === 400 ? wrong.data.errors : wrong.status;

// @ts-expect-error: an order that no list has is not even compiled
void (() => forager.listDomains({ sort: 'nonsense' }));
// @ts-expect-error: and neither is a body without its URLs
void (() => forager.seedUrls({ body: {} }));

console.log(JSON.stringify(seen));
`;

let server: TestServer;
let admin: ApiClient;
let directory: string;
let seen: Record<string, unknown>;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
  await server.database.execute(
    "insert into users (username, role, password_hash) values ('anna', 'user', $1)",
    [await hashPassword(PASSWORD)],
  );
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-client-'));
  await symlink(modules, path.join(directory, 'node_modules'), 'dir');
  await writeFile(path.join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(directory, 'use.ts'), PROGRAM);
  const document = await server.client().get('/api/openapi.json');
  await writeFile(path.join(directory, 'openapi.json'), document.text);
  await generate(directory);
  await compile(directory);
  const key = await server.keyOf('admin');
  const { stdout } = await run(process.execPath, [
    ...[path.join(directory, 'out', 'use.js'), server.url, key, PASSWORD],
  ]);
  seen = JSON.parse(stdout) as Record<string, unknown>;
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

function generate(cwd: string): Promise<unknown> {
  const program = path.join(modules, 'oazapfts', 'dist', 'cli.js');
  const options = ['--useUnknown', '--argumentStyle=object', '--futureStripLegacyMethods'];
  return run(process.execPath, [program, ...options, 'openapi.json', 'client.ts'], { cwd });
}

/** What the compiler says is in the error. */
async function compile(cwd: string): Promise<void> {
  const options = {
    compilerOptions: {
      ...{ target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023', 'dom'] },
      ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, types: ['node'] },
      ...{ rewriteRelativeImportExtensions: true, allowImportingTsExtensions: true, outDir: 'out' },
    },
    files: ['use.ts', 'client.ts'],
  };
  await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify(options));
  const program = path.join(modules, 'typescript', 'bin', 'tsc');
  await run(process.execPath, [program, '-p', 'tsconfig.json'], { cwd }).catch((error: unknown) => {
    const { stdout } = error as { stdout: string };
    throw new Error(`The generated client does not compile:\n${stdout}`);
  });
}

describe('a client generated from the document', () => {
  test('reads what everybody may read', () => {
    expect(seen.health).toBe('ok');
    expect(seen.pages).toBe(0);
  });

  test('is told why it is refused, in the form of a problem', () => {
    expect(seen.refused).toBe('not-logged-in');
    expect(seen.unknown).toBe('unknown-domain');
    expect(seen.wrong).toMatchObject([{ path: 'query.limit' }]);
  });

  test('submits with a key, and under the same Idempotency-Key only once', () => {
    expect(seen.seeded).toMatchObject([200, {}]);
    expect(seen.again).toEqual(seen.seeded);
  });

  test('goes through the pages of a list', () => {
    expect(seen.first).toEqual(['two.example']);
    expect(seen.second).toEqual(['one.example']);
  });

  test('gets what any other client gets', async () => {
    const domains = await admin.get('/api/domains');
    expect(seen.domains).toEqual([200, domains.body]);
    expect(seen.domain).toBe('one.example');
    const pages = await admin.get('/api/pages', { domain: 'one.example', isGone: false });
    expect(seen.listedPages).toEqual([200, pages.body]);
  });

  test('asks for long work and watches it', () => {
    expect(seen.job).toEqual(['purge-pages', true]);
  });

  test('logs in with a password and goes by the cookie it is given', () => {
    expect(seen.me).toMatchObject([200, { username: 'anna', role: 'user' }]);
  });
});
