/** The commands that change what a domain is told. */
import os from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const forager = (...args: string[]): Promise<CliRun> =>
  runForager(args, { env: { DATABASE_URL: database.url, NO_COLOR: '1' } });

async function acts(): Promise<unknown[]> {
  return (await database.db.query('select actor, action, target from audit_log order by id')).rows;
}
const actor = `cli:${os.userInfo().username}`;

describe('domain add', () => {
  it('makes a domain known with its settings, its page due, and records it', async () => {
    const run = await forager(
      'domain',
      'add',
      'https://www.a.example/x',
      '--delay',
      '2.5',
      '--exclude',
      '/p/',
      '--exclude',
      '/q/',
      '--json',
    );
    expect(run.code, run.stderr).toBe(0);
    expect(run.json()).toMatchObject([{ domain: 'a.example', crawlDelayMs: 2500, exclude: ['/p/', '/q/'] }]);
    expect((await database.db.query('select url from urls')).rows).toEqual([
      { url: 'https://www.a.example/x' },
    ]);
    expect(await acts()).toEqual([{ actor, action: 'domain.create', target: 'a.example' }]);
    const again = await forager('domain', 'add', 'a.example');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('known already') });
  });

  it('takes no private address unless it is told to', async () => {
    expect(await forager('domain', 'add', 'http://127.0.0.1:8080/')).toMatchObject({ code: 2 });
    expect(await forager('domain', 'add', 'http://127.0.0.1:8080/', '--allow-private')).toMatchObject({
      code: 0,
    });
  });
});

describe('domain set', () => {
  beforeEach(() => forager('domain', 'add', 'a.example'));

  it('changes what is named; "default" brings the default back', async () => {
    const set = await forager(
      'domain',
      'set',
      'a.example',
      '--max-pages',
      '9',
      '--scope',
      'domain',
      '--concurrency',
      '1',
    );
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('from the next claim on') });
    const back = await forager('domain', 'set', 'a.example', '--scope', 'default', '--json');
    expect(back.json()).toMatchObject([{ scope: null, maxPagesPerRun: 9, maxConcurrentRequests: 1 }]);
  });

  it('says how it goes through proxies, and `domain info` shows it', async () => {
    const options = ['--proxy-mode', 'required', '--proxy-country', 'de', '--proxy-rotation', 'sticky'];
    const set = ['domain', 'set', 'a.example', ...options, '--proxy-requests-per-hour', '120', '--json'];
    expect((await forager(...set)).json()).toMatchObject([
      { proxyMode: 'required', proxyCountry: 'DE', proxyRotation: 'sticky', proxyRequestsPerHour: 120 },
    ]);
    const info = await forager('domain', 'info', 'a.example');
    expect(info.stdout).toContain(
      'always: it waits where none can be used, only of DE, through one as long as possible, at most 120 requests an hour through each',
    );
    const back = ['--proxy-mode', 'default', '--proxy-country', 'default', '--proxy-rotation', 'default'];
    const given = ['domain', 'set', 'a.example', ...back, '--proxy-requests-per-hour', 'default', '--json'];
    expect((await forager(...given)).json()).toMatchObject([
      { proxyMode: 'auto', proxyCountry: null, proxyRotation: 'request', proxyRequestsPerHour: null },
    ]);
    expect((await forager('domain', 'info', 'a.example')).stdout).toMatch(
      /proxies +where there are any \(default\)/,
    );
  });

  it('says who goes on under the old ones', async () => {
    await database.execute("update domains set claimed_by = 'w1', claim_expires_at = now() + interval '1 h'");
    const { stdout } = await forager('domain', 'set', 'a.example', '--delay', '9');
    expect(stdout).toContain('The worker w1 has it and goes on under the old ones');
    const proxies = await forager('domain', 'set', 'a.example', '--proxy-mode', 'required');
    expect(proxies.stdout).toContain('The worker w1 has it, and goes by them within seconds.');
    const both = await forager('domain', 'set', 'a.example', '--proxy-mode', 'auto', '--delay', '8');
    expect(both.stdout).toContain('goes on under the old ones');
  });

  it.each([
    [['--delay', 'soon'], 2],
    [['--scope', 'galaxy'], 2],
    [['--user-agent', 'a\nb'], 2],
    [['--include', '(a+)+'], 2],
    [['--proxy-mode', 'sometimes'], 2],
    [['--proxy-country', 'Germany'], 2],
    [['--proxy-requests-per-hour', '0'], 2],
    [[], 2],
  ])('refuses %j', async (options, code) => {
    expect(await forager('domain', 'set', 'a.example', ...options)).toMatchObject({ code });
    expect((await acts()).length).toBe(1);
  });
});

it('domain deactivate and activate switch it, twice without harm, and say whose lease ended', async () => {
  await forager('domain', 'add', 'a.example');
  await database.execute("update domains set claimed_by = 'w1', claim_expires_at = now() + interval '1 h'");
  expect((await forager('domain', 'deactivate', 'a.example')).stdout).toContain('The worker w1 had it');
  expect((await forager('domain', 'deactivate', 'a.example')).stdout).toContain('switched off already');
  expect((await forager('domain', 'activate', 'a.example', '--json')).json()).toMatchObject([
    { wasActive: false },
  ]);
  expect((await forager('domain', 'activate', 'a.example')).stdout).toContain('active already');
  expect(await forager('domain', 'activate', 'b.example')).toMatchObject({ code: 1 });
});

it('domain remove wants --yes, removes all of it, and records it', async () => {
  await forager('domain', 'add', 'a.example');
  expect(await forager('domain', 'remove', 'a.example')).toMatchObject({ code: 2 });
  expect((await forager('domain', 'remove', 'a.example', '--yes', '--json')).json()).toEqual([
    { domain: 'a.example', urls: 1, pages: 0, fetches: 0, tasks: 0, errors: 0, products: 0 },
  ]);
  expect((await database.db.query('select from domains')).rowCount).toBe(0);
  expect(await acts()).toContainEqual({ actor, action: 'domain.delete', target: 'a.example' });
});

it('domain remove takes along what bots and proxies have left, however much that is', async () => {
  await forager('domain', 'add', 'a.example');
  await forager('domain', 'add', 'b.example');
  await database.execute(
    `insert into proxies (proxy_url, proxy_port) values ('p.example', 3128);
     insert into domain_proxies (domain_id, proxy_id) select id, 1 from domains;
     insert into proxy_usage (proxy_id, domain_id, minute)
     select 1, d.id, now() - n * interval '1 minute' from domains d, generate_series(1, 2100) n;
     insert into crawl_tasks (domain_id, url, url_hash, executor, status)
     select id, 'https://' || domain || '/', '\\x01', 'bot', 'completed' from domains;
     insert into crawl_results (task_id, domain_id, lock_token, crawled_at)
     select id, domain_id, id, now() from crawl_tasks;
     insert into bot_queues (domain_id, best_priority, next_at) select id, 5, now() from domains;
     insert into products (domain_id, url, url_hash, content_hash, source)
     select d.id, 'https://' || d.domain || '/' || n, int4send(n), '\\x00', 'bot' from domains d, generate_series(1, 2100) n;
     insert into price_points (product_id, at, source)
     select p.id, now() - n * interval '1 hour', 'bot' from products p, generate_series(1, 3) n
      where p.id % 2 = 0 or n = 1`,
  );
  const { rows } = await database.db.query<{ rows: number }>(
    `select count(*)::int + 2100 as rows from price_points h join products p on p.id = h.product_id
      where p.domain_id = (select id from domains where domain = 'a.example')`,
  );
  const run = await forager('domain', 'remove', 'a.example', '--yes', '--json');
  expect(run.json()).toMatchObject([{ tasks: 1, products: rows[0]?.rows }]);
  for (const table of ['domain_proxies', 'proxy_usage', 'crawl_results', 'bot_queues', 'products']) {
    const left = await database.db.query(`select distinct domain_id from ${table}`);
    expect(left.rows, table).toHaveLength(1);
  }
  expect((await database.db.query('select from products')).rowCount).toBe(2100);
  expect((await database.db.query('select from price_points')).rowCount).toBeGreaterThan(2100);
});

it('domain reset is recorded with whoever typed it', async () => {
  await forager('domain', 'add', 'a.example');
  await forager('domain', 'reset', 'a.example', '--reason', 'we talked');
  expect(await acts()).toContainEqual({ actor, action: 'domain.reset', target: 'a.example' });
});
