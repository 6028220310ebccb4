/** What `forager proxy` says: with the flag that helps, in the right number, and never a password. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type ScriptedProxy, startScriptedProxy } from '../support/proxies-scripted.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';

let database: TestDatabase;
let proxy: ScriptedProxy;
let status = 502;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startScriptedProxy((socket, said) => {
    if (said.includes('\r\n\r\n')) socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
  });
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});
beforeEach(async () => {
  await database.execute('delete from proxies');
  await database.execute('delete from domains');
  await database.execute(
    "insert into domains (domain, parent_domain, base_url) values ('shop.example', 'shop.example', 'https://shop.example')",
  );
});

interface Surroundings {
  readonly input?: string;
  readonly columns?: number;
  readonly isPublic?: boolean;
}

function run(words: string, { input, columns, isPublic = false }: Surroundings = {}): Promise<CliRun> {
  return runForager(words.split(' '), {
    env: {
      ...{ DATABASE_URL: database.url, FORAGER_SECRET_KEY: 'cd'.repeat(32) },
      ...{ FORAGER_ALLOW_PRIVATE: isPublic ? '0' : '1', FORAGER_PROXY_CHECK_URL: 'http://127.0.0.1:8099/' },
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

describe('a password that is given by mistake is not repeated', () => {
  test.each([
    'proxy check http://u:Zecret9@h.example:80',
    'proxy check u:Zecret9@h.example:80',
    'proxy check h.example:80:u:Zecret9',
    'proxy enable http://u:Zecret9@h.example:80',
    'proxy disable 3 http://u:Zecret9/x@h.example:80',
    'proxy show http://u:Zecret9@h.example:80',
    'proxy remove http://u:Zecret9@h.example:80',
    'proxy set http://u:Zecret9@h.example:80',
    'proxy set 3 --max-per-hour http://u:Zecret9@h.example:80',
    'proxy assign shop.example http://u:Zecret9@h.example:80',
    'proxy assign http://u:Zecret9@h.example:80 3',
    'proxy unassign shop.example http://u:Zecret9@h.example:80',
    'proxy pool http://u:Zecret9@h.example:80',
    'proxy pool shop.example --off http://u:Zecret9@h.example:80',
    'proxy sizing h.example:80:u:Zecret9',
    'proxy import http://u:Zecret9@h.example:80',
    'proxy http://u:Zecret9@h.example:80',
    'proxy list --state http://u:Zecret9@h.example:80',
    'proxy list --url=http://u:Zecret9@h.example:80',
    'http://u:Zecret9@h.example:80',
  ])('%s', async (words) => {
    const { code, stdout, stderr } = await run(words);
    expect(code).not.toBe(0);
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain('Zecret9');
  });
});

describe('the flag that is named is the one there is', () => {
  test('for the last shared proxy', async () => {
    const id = await add('http://p.example:80');
    await database.execute(
      'insert into domain_proxies (domain_id, proxy_id, is_assigned) select d.id, p.id, false from domains d, proxies p',
    );
    for (const words of [`proxy remove ${id}`, `proxy set ${id} --not-shared`]) {
      const refused = await run(words);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('shop.example is crawled directly');
      expect(refused.stderr).toContain('"forager domain set shop.example --proxy-mode required"');
      expect(refused.stderr).toMatch(/is meant: --yes$/m);
    }
    const update = await run('proxy import - --update --not-shared', { input: 'p.example:80\n' });
    expect(update.stderr).toContain('--yes');
    expect((await run(`proxy set ${id} --not-shared --yes`)).code).toBe(0);
    await run(`proxy set ${id} --shared`);
    expect((await run(`proxy remove ${id} --yes`)).code).toBe(0);
  });

  test('for a password that does not follow its proxy', async () => {
    const id = await add('http://anna@p.example:80 --password-stdin', 'geheim');
    const refused = await run(`proxy set ${id} --url http://anna@q.example:80`);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--password-stdin');
    expect(refused.stderr).toContain('--no-password');
    expect((await run(`proxy set ${id} --url http://anna@q.example:80 --no-password`)).code).toBe(0);
  });

  test('for private addresses', async () => {
    const added = await run('proxy add http://10.1.2.3:80', { isPublic: true });
    expect(added.stderr).toMatch(/fix: set FORAGER_PRIVATE_PROXIES/);
    const id = await add('http://p.example:80');
    const checked = await run(`proxy check ${id} --url http://10.1.2.3/`, { isPublic: true });
    expect(checked.code).toBe(2);
    expect(checked.stderr).toContain('FORAGER_ALLOW_PRIVATE');
    expect(checked.stderr).not.toContain('--allow-private');
  });
});

describe('an import', () => {
  test('says what was refused, what was there and what was assigned, and ends with 1 where a line was refused', async () => {
    const input = 'a.example:80\nhttp://b.example:80\na.example:80\n';
    const done = await run('proxy import - --domain shop.example', { input });
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain('standard input:3: http://a.example:80: line 1 is the same proxy.');
    expect(done.stdout).toBe(
      '3 lines: 2 added, 0 updated, 1 there already, 0 refused.\n2 proxies are newly assigned to shop.example.\n',
    );
    const again = await run('proxy import - --domain shop.example', { input: 'c.example:80\nnonsense\n' });
    expect(again.code).toBe(1);
    expect(again.stdout).toContain('1 proxy is newly assigned to shop.example.');
    const one = await run('proxy import -', { input: 'c.example:80\n' });
    expect(one.code).toBe(0);
    expect(one.stdout).toMatch(/^1 line: /);
    const many = Array.from({ length: 22 }, () => 'c.example:80').join('\n');
    expect((await run('proxy import -', { input: many })).stderr).toContain(
      '2 more lines were there already.',
    );
    expect((await run('proxy import --help')).stdout).toContain('Ends with 1 where a line was refused');
  });
});

describe('a sentence', () => {
  test('about a user without a password says so', async () => {
    expect((await run('proxy add http://anna@p.example:80', { input: '' })).stdout).toContain(
      ', without a password, ',
    );
    expect((await run('proxy add http://q.example:80')).stdout).not.toContain('password');
  });

  test('about none tells whether there are any at all', async () => {
    expect((await run('proxy list')).stdout).toMatch(/^There are no proxies\. .*proxy add/);
    expect((await run('proxy list --country DE')).stdout).toMatch(/^No proxy is like that\./);
  });

  test('about one is in the singular', async () => {
    const id = await add('http://p.example:80 --not-shared');
    expect((await run(`proxy assign shop.example ${id}`)).stdout).toBe(
      '1 proxy is newly assigned to shop.example.\n',
    );
    expect((await run(`proxy assign shop.example ${id}`)).stdout).toBe(
      '0 proxies are newly assigned to shop.example, 1 was already.\n',
    );
    expect((await run('proxy list')).stdout).toContain('1 domain ');
    await database.execute('update domain_proxies set failure_count = 1');
    expect((await run('proxy reset shop.example')).stdout).toContain('The failures of 1 proxy of');
    const sizing = await run('proxy sizing shop.example --urls-per-hour 1 --max-per-hour 1');
    expect(sizing.stdout).toContain('1 request an hour');
  });

  test('about a proxy of a pool says off where somebody switched it off, and out where it comes back', async () => {
    const [a, b, c] = [
      ...[
        await add('http://a.example:80'),
        await add('http://b.example:80'),
        await add('http://c.example:80'),
      ],
    ];
    await run(`proxy assign shop.example ${a} ${b} ${c}`);
    await run(`proxy pool shop.example --off ${a}`);
    await run(`proxy disable ${b}`);
    await database.execute(
      "update domain_proxies set is_active = false, disabled_by = 'failures', retry_at = now() where proxy_id = $1",
      [c],
    );
    const { stdout } = await run('proxy pool shop.example');
    expect(stdout.match(/^ *\d+ .*$/gm)?.map((line) => /\b(?:off|out|active)\b/.exec(line)?.[0])).toEqual([
      ...['off', 'off', 'out'],
    ]);
  });
});

test('a check does not say that a proxy let something through that it may have answered itself', async () => {
  const id = await add(`http://127.0.0.1:${proxy.port}`);
  for (status of [502, 503, 504]) {
    const { stdout } = await run(`proxy check ${id}`);
    expect(stdout).toContain(String(status));
    expect(stdout).not.toContain('let it through');
  }
  status = 404;
  expect((await run(`proxy check ${id}`)).stdout).toContain('the proxy itself let it through');
});

test('what is said of a check fits a terminal of 80 columns', async () => {
  const id = await add('http://127.0.0.1:1');
  const { stdout } = await run(`proxy check ${id}`, { columns: 80 });
  expect(stdout).toContain('proxy-unreachable');
  expect(widestLine(stdout), stdout).toBeLessThanOrEqual(80);
});
