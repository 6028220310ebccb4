import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configTable, findUnknownVariables, loadConfig } from '../../src/platform/config.ts';
import { redactUrl } from '../../src/platform/redact-url.ts';
import { settings } from '../../src/platform/settings.ts';

test('without anything set every setting has its default', () => {
  expect(loadConfig({}, {})).toMatchObject({
    dataDir: path.join(os.homedir(), '.forager'),
    databaseUrl: undefined,
    databasePoolSize: 8,
    delayMs: 1000,
    maxCrawlDelayMs: 60_000,
    maxConcurrentRequests: 5,
    maxInFlight: 256,
    requestTimeoutMs: 30_000,
    maxBodyBytes: 10 * 1024 * 1024,
    maxRedirects: 5,
    maxDepth: 10,
    maxLinksPerPage: 1000,
    maxRetries: 3,
    leaseSeconds: 1800,
    batchPages: 250,
    batchMs: 300,
    keepBodies: true,
    allowPrivate: false,
    respectRobots: true,
  });
});

test.each([
  ['FORAGER_DEFAULT_DELAY_MS', 'FORAGER_DELAY_MS'],
  ['FORAGER_DATADIR', 'FORAGER_DATA_DIR'],
  ['FORAGER_DLEAY_MS', 'FORAGER_DELAY_MS'],
  ['FORAGER_MAX_CONCURRENCY', 'FORAGER_MAX_CONCURRENT_REQUESTS'],
  ['FORAGER_DATABASE_URL', 'DATABASE_URL'],
  ['FORAGER_ALLOW_PRIVATE_ADDRESSES', 'FORAGER_ALLOW_PRIVATE'],
  ['forager_port', 'FORAGER_PORT'],
  ['FORAGER_XYZZY', undefined],
])('%s is no setting: %s is the nearest, and nothing fails because of it', (env, nearest) => {
  const environment = { [env]: '1', FORAGER_PORT: '80', OTHER_VARIABLE: '1', FORAGER_EMPTY: ' ' };
  expect(findUnknownVariables(environment)).toEqual([{ env, nearest }]);
  expect(loadConfig({}, environment).port).toBe(80);
});

test('the command line wins over the environment, the environment over the default, and empty means not set', () => {
  const environment = { FORAGER_DELAY_MS: '250', FORAGER_MAX_DEPTH: ' 3 ', FORAGER_MAX_RETRIES: '' };
  const config = loadConfig({ delayMs: 10 }, environment);
  expect([config.delayMs, config.maxDepth, config.maxRetries]).toEqual([10, 3, 3]);
  expect(configTable({ delayMs: 10 }, environment).find((line) => line.key === 'maxDepth')).toMatchObject({
    env: 'FORAGER_MAX_DEPTH',
    value: '3',
    source: 'environment',
  });
});

test.each(['1', 'true', 'YES', 'on'])('"%s" switches on', (text) => {
  expect(loadConfig({}, { FORAGER_ALLOW_PRIVATE: text }).allowPrivate).toBe(true);
});

test.each(['0', 'false', 'No', 'off'])('"%s" switches off', (text) => {
  expect(loadConfig({}, { FORAGER_KEEP_BODIES: text }).keepBodies).toBe(false);
});

test('the data directory is made absolute, from a relative path and from a tilde', () => {
  expect(loadConfig({ dataDir: 'some/where' }, {}).dataDir).toBe(path.resolve('some/where'));
  expect(loadConfig({}, { FORAGER_DATA_DIR: '~/crawl' }).dataDir).toBe(path.join(os.homedir(), 'crawl'));
  expect(loadConfig({}, { FORAGER_DATA_DIR: '/data/~x' }).dataDir).toBe('/data/~x');
});

test.each([
  ['FORAGER_DELAY_MS', 'fast'],
  ['FORAGER_DELAY_MS', '-1'],
  ['FORAGER_DELAY_MS', '1.5'],
  ['FORAGER_MAX_IN_FLIGHT', '0'],
  ['FORAGER_DATABASE_POOL_SIZE', '1e9'],
  ['FORAGER_KEEP_BODIES', 'perhaps'],
  ['FORAGER_USER_AGENT', 'two\nlines'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'not a url'],
])('%s=%j is refused with a sentence that names the variable', (name, value) => {
  expect(() => loadConfig({}, { [name]: value })).toThrow(
    expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(`variable ${name} is`) }),
  );
});

test('all bad values are told at once, one line each', () => {
  const environment = { FORAGER_DELAY_MS: 'x', FORAGER_MAX_DEPTH: 'y', FORAGER_MAX_RETRIES: 'z' };
  try {
    loadConfig({}, environment);
    expect.unreachable();
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatch(/^The environment variable \S+ is "[xyz]", but must be .+\.$/);
  }
});

test('a password is in no message and in no table', () => {
  const secret = 'hunter2';
  const good = `postgres://me:${secret}@db.example/forager`;
  expect(JSON.stringify(configTable({}, { DATABASE_URL: good }))).not.toContain(secret);
  const bad = `mysql://me:${secret}@db.example/forager`;
  expect(() => loadConfig({}, { DATABASE_URL: bad })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(secret) }),
  );
});

test('redacting keeps what helps and takes what is secret', () => {
  expect(redactUrl('postgres://me:s3cret@h:5433/d?sslmode=require')).toBe(
    'postgres://me:***@h:5433/d?sslmode=require',
  );
  for (const text of ['amqp:me:s3cret@h', 'me:s3cret@h', 'amqps:/me:s3cret@h/'])
    expect(redactUrl(text)).not.toContain('s3cret');
  expect(redactUrl('postgres:///d?host=/run/postgresql')).toContain('/d?host=');
  expect(redactUrl('postgres://h/d?user=me&password=s3cret')).toBe('postgres://h/d?user=me&password=***');
  expect(redactUrl('s3cret not a url')).not.toContain('s3cret');
});

test('every setting has its own environment variable and a sentence', () => {
  const lines = Object.values(settings);
  expect(new Set(lines.map((line) => line.env)).size).toBe(lines.length);
  for (const line of lines) expect(line.sentence).toMatch(/^[A-Z].*\.$/);
});

test('the environment is read in one place only', () => {
  const root = path.resolve(import.meta.dirname, '..', '..');
  const found = execFileSync('grep', ['-rlE', 'process\\.env|process\\[.env', 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(found.trim().split('\n')).toEqual(['src/platform/config.ts']);
});
