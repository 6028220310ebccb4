/** `forager proxy`, as people and programs use it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type ScriptedProxy, startScriptedProxy } from '../support/proxies-scripted.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';

let database: TestDatabase;
let directory: string;
let proxy: ScriptedProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-proxies-'));
  proxy = await startScriptedProxy((socket, said) => {
    if (said.includes('\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n203.0.113.7');
  });
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  await database.execute('delete from proxies');
  await database.execute('delete from domains');
});

interface Surroundings {
  readonly input?: string;
  readonly columns?: number;
  readonly env?: Record<string, string>;
}

function run(words: string, { input, columns, env = {} }: Surroundings = {}): Promise<CliRun> {
  return runForager(words.split(' '), {
    env: {
      ...{ DATABASE_URL: database.url, FORAGER_SECRET_KEY: 'cd'.repeat(32), FORAGER_ALLOW_PRIVATE: '1' },
      ...{ FORAGER_PROXY_CHECK_URL: 'http://127.0.0.1:8099/', ...env },
    },
    ...(input === undefined ? {} : { input }),
    ...(columns === undefined ? {} : { columns }),
  });
}

async function add(words: string, input?: string): Promise<number> {
  const done = await run(`proxy add ${words} --json`, input === undefined ? {} : { input });
  expect(done.code, done.stderr).toBe(0);
  return Number(done.json()[0]?.id);
}

async function addDomain(domain: string): Promise<void> {
  await database.execute(
    "insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1)",
    [domain],
  );
}

describe('forager proxy', () => {
  test('add takes the password from standard input, and says nothing of it', async () => {
    const added = await run('proxy add http://anna@p.example:8080 --password-stdin --country de', {
      input: 'gehe:im\n',
    });
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(
      /^Proxy \d+ is added: http:\/\/anna@p\.example:8080, with a password, for all/,
    );
    expect(added.stdout + added.stderr).not.toContain('gehe');
    expect((await run('proxy list --json')).json()).toMatchObject([{ hasPassword: true, countryCode: 'DE' }]);
  });

  test('add warns of a password among the arguments, and refuses what is no proxy', async () => {
    const added = await run('proxy add http://anna:geheim@p.example:8080');
    expect(added.code).toBe(0);
    expect(added.stderr).toContain('list of processes');
    const refused = await run('proxy add http://anna:geheim@p.example');
    expect(refused.code).toBe(2);
    const again = await run('proxy add http://anna:geheim@p.example:8080');
    expect(again.code).toBe(1);
    const privately = await run('proxy add http://anna:geheim@127.0.0.1:80', {
      env: { FORAGER_ALLOW_PRIVATE: '0' },
    });
    expect(privately.code).toBe(2);
    expect(privately.stderr).toContain('FORAGER_PRIVATE_PROXIES');
    const allowed = await run('proxy add http://127.0.0.1:80', {
      env: { FORAGER_ALLOW_PRIVATE: '0', FORAGER_PRIVATE_PROXIES: '1' },
    });
    expect(allowed.code).toBe(0);
    for (const { stdout, stderr } of [added, refused, again, privately]) {
      expect(stdout + stderr).not.toContain('geheim');
    }
  });

  test('set, show, enable, disable and remove do what they say', async () => {
    const id = await add('http://anna@p.example:8080');
    const words = `proxy set ${id} --password-stdin --provider Acme --monthly-cost 3.5 --not-shared --json`;
    expect((await run(words, { input: 'geheim' })).json()).toMatchObject([
      { hasPassword: true, provider: 'Acme', monthlyCost: 3.5, isShared: false },
    ]);
    expect((await run(`proxy set ${id} --no-password --provider none --json`)).json()).toMatchObject([
      { hasPassword: false, provider: null, username: 'anna' },
    ]);
    expect(
      (await run(`proxy set ${id} --url socks5://q.example:1080 --user none --json`)).json(),
    ).toMatchObject([{ protocol: 'socks5', host: 'q.example', port: 1080, username: null }]);
    expect((await run(`proxy set ${id}`)).code).toBe(2);
    expect((await run(`proxy set ${id} --country Deutschland`)).stderr).toContain('--country');
    expect((await run(`proxy disable ${id}`)).stdout).toContain(`Proxy ${id} is off`);
    const shown = await run(`proxy show ${id}`);
    expect(shown.stdout).toContain('switched off by cli:');
    expect((await run(`proxy enable ${id}`)).stdout).toContain(`Proxy ${id} is on`);
    expect((await run(`proxy remove ${id}`)).code).toBe(0);
    expect((await run(`proxy show ${id}`)).code).toBe(1);
  });

  test('import takes a file and tells of each line that it cannot take', async () => {
    const file = path.join(directory, 'proxies.txt');
    await writeFile(
      file,
      '\ufeff# mine\r\nhttp://anna:geheim@a.example:80\r\n\r\nb.example:81:otto:geheim\r\nhttp://x:geheim@c.example\r\na.example:80',
    );
    const done = await run(`proxy import ${file} --provider Acme`);
    expect(done.code, done.stderr).toBe(1);
    expect(done.stdout).toBe('4 lines: 3 added, 0 updated, 0 there already, 1 refused.\n');
    expect(done.stderr).toContain(':5: http://***: it names no port.');
    expect(done.stderr).not.toContain('geheim');
    const again = await run(`proxy import - --update --json`, { input: await readFile(file, 'utf8') });
    expect(again.json().map(({ result }) => result)).toEqual([
      ...['updated', 'updated', 'refused', 'updated', undefined],
    ]);
    expect(again.json().at(-1)).toMatchObject({ lines: 4, updated: 3, refused: 1 });
    expect(again.stdout).not.toContain('geheim');
    expect((await run('proxy import - --json', { input: 'nonsense\n' })).code).toBe(1);
    expect((await run(`proxy import ${directory}/nothing`)).code).toBe(2);
  });

  test('import streams a hundred thousand lines', async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}:80`);
    const done = await run('proxy import - --json', { input: lines.join('\n') });
    expect(done.json().at(-1)).toMatchObject({ lines: 100_000, added: 100_000 });
  });

  test('export writes what import reads, without passwords', async () => {
    await add('http://a%40b@p.example:8080 --password-stdin', 'geheim');
    await add('socks5://q.example:1080');
    const lines = await run('proxy export');
    expect(lines.stdout).toBe('socks5://q.example:1080\nhttp://a%40b@p.example:8080\n');
    const file = path.join(directory, 'out.csv');
    expect((await run(`proxy export --format csv -o ${file} --protocol http`)).code).toBe(0);
    const csv = await readFile(file, 'utf8');
    expect(csv.split('\r\n')).toHaveLength(3);
    const json = await run('proxy export --json');
    expect(json.json()).toHaveLength(2);
    expect(lines.stdout + csv + json.stdout).not.toContain('geheim');
  });

  test('check reaches out through one, some or all', async () => {
    const good = await add(`http://127.0.0.1:${proxy.port}`);
    const gone = await startScriptedProxy(() => undefined);
    await gone.close();
    const bad = await add(`http://127.0.0.1:${gone.port}`);
    const one = await run(`proxy check ${good}`);
    expect(one.code, one.stderr).toBe(0);
    expect(one.stdout).toMatch(/works, .*seen as 203\.0\.113\.7/);
    expect(one.stdout).toContain('A check counts as no success');
    const all = await run('proxy check --all --json');
    expect(all.code).toBe(1);
    const seen = all.json().sort((a, b) => Number(a.proxyId) - Number(b.proxyId));
    expect(seen).toMatchObject([
      { proxyId: good, ok: true, address: '203.0.113.7' },
      { proxyId: bad, ok: false, error: { code: 'proxy-unreachable' } },
    ]);
    await run(`proxy disable ${bad}`);
    const active = await run('proxy check --active --json');
    expect(active.code).toBe(0);
    expect(active.json()).toHaveLength(1);
    expect((await run('proxy check')).code).toBe(2);
    expect((await run(`proxy check ${good} --all`)).code).toBe(2);
    expect((await run(`proxy check ${good} --url ftp://x/`)).code).toBe(2);
    expect((await run('proxy check 99999')).code).toBe(1);
  });

  test('assign, pool, reset, unassign, sizing and health', async () => {
    await addDomain('shop.example');
    const [a, b] = [await add('http://a.example:80'), await add('http://b.example:80')];
    expect((await run(`proxy assign shop.example ${a} ${b} --max-per-hour 20`)).stdout).toBe(
      '2 proxies are newly assigned to shop.example.\n',
    );
    expect((await run(`proxy assign shop.example ${a} --priority 1 --json`)).json()).toMatchObject([
      { assigned: 0, changed: 1 },
    ]);
    expect((await run('proxy pool shop.example --json')).json()).toMatchObject([
      { proxyId: a, priority: 1, effectiveMaxRequestsPerHour: 20 },
      { proxyId: b, priority: 5 },
    ]);
    expect((await run(`proxy pool shop.example --off ${b}`)).stdout).toContain('switched off by cli:');
    expect((await run('proxy reset shop.example')).stdout).toContain('1 is still out');
    const sizing = await run('proxy sizing shop.example --urls-per-hour 100 --max-per-hour 20');
    expect(sizing.stdout).toContain('take 5, and with 20 % to spare 6; 1 can be used: 5 more are needed.');
    expect((await run('proxy health')).stdout).toMatch(/shop\.example +1\/2/);
    expect((await run(`proxy unassign shop.example ${a}`)).code).toBe(0);
    const last = await run(`proxy unassign shop.example ${b}`);
    expect(last.code).toBe(1);
    expect(last.stderr).toContain('is the last one of shop.example');
    expect((await run(`proxy unassign shop.example ${b} --yes`)).code).toBe(0);
    expect((await run('proxy pool shop.example')).stdout).toContain('has no proxies of its own');
  });

  test('no second key is made beside passwords that were sealed with another, and the doctor says so', async () => {
    await add('http://anna@p.example:8080 --password-stdin', 'geheim');
    const elsewhere = { FORAGER_SECRET_KEY: '', FORAGER_DATA_DIR: path.join(directory, 'elsewhere') };
    const refused = await run('proxy add http://q.example:8080', { env: elsewhere });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('FORAGER_SECRET_KEY');
    const checks = (await run('doctor --json', { env: elsewhere })).stdout;
    expect(checks).toContain('there is none here for the secrets of 1 proxy');
    const other = { FORAGER_SECRET_KEY: 'ef'.repeat(32) };
    expect((await run('doctor --json', { env: other })).stdout).toContain('was encrypted with another key');
  });

  test('tables fit a terminal of 80 columns', async () => {
    await addDomain('shop.example');
    const id = await add(
      `http://${'long-user-'.repeat(8)}@${'very-long.'.repeat(8)}example:65535 --country DE`,
    );
    await run(`proxy assign shop.example ${id}`);
    await run(`proxy disable ${id}`);
    const failing = await add(
      'http://customer-4711@gate-12.provider.example:22225 --country US --not-shared',
    );
    await run(`proxy assign shop.example ${failing}`);
    const error = `The proxy http://gate-12.provider.example:22225 does not answer: ${'it is out of order '.repeat(9)}`;
    for (const table of ['proxies', 'domain_proxies']) {
      await database.execute(
        `update ${table} set is_active = false, disabled_by = 'failures', retry_at = now(), last_error = $2,
                last_used_at = now(), avg_response_time_ms = 12345, success_count = 999, failures_total = 1
          where ${table === 'proxies' ? 'id' : 'proxy_id'} = $1`,
        [failing, error],
      );
    }
    await database.execute(
      "update domains set block_reason_code = 'no_proxy', block_reason = $1, proxy_country = 'FR'",
      [error],
    );
    for (const words of [
      ...['proxy list', 'proxy pool shop.example', 'proxy health', 'proxy sizing shop.example'],
      ...[`proxy check ${failing}`, 'proxy reset shop.example'],
    ]) {
      const { stdout } = await run(words, { columns: 80 });
      expect(widestLine(stdout), stdout).toBeLessThanOrEqual(80);
    }
  });
});
