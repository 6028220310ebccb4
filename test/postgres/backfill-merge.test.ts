/** Domains that are spellings of one another become one, and whatever hangs on them comes along. */
import { beforeEach, describe, expect, it } from 'vitest';
import { backfill } from '../../src/control/backfill/backfill.ts';
import { addDomain, addFetch, addPage, addUrl, readEverything } from '../support/backfill-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function readDomains(): Promise<Record<string, unknown>[]> {
  return (await database.db.query('select * from domains order by id')).rows;
}

const at = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`;

it('every spelling of a name leads to the earliest row, under the canonical name', async () => {
  const spellings = [
    'www.example.com',
    'example.com',
    'EXAMPLE.com',
    'example.com:443',
    'example.com.',
    'www.münchen.de',
    'xn--mnchen-3ya.de',
    'MÜNCHEN.de:80',
    'example.com:8443',
  ];
  for (const [index, name] of spellings.entries()) {
    const id = await addDomain(database, name, { first_seen_at: at(index + 1) });
    await addUrl(database, id, `https://${name.toLowerCase()}/${index}`);
  }
  const { tally, validation } = await backfill(database.db);
  expect(tally).toMatchObject({ merged: 6, renamed: 0, rebuilt: 0 });
  expect(validation?.isWell).toBe(true);
  expect(await readDomains()).toMatchObject([
    { id: 1, domain: 'example.com', parent_domain: 'example.com', pages_discovered: 5 },
    { id: 6, domain: 'xn--mnchen-3ya.de', parent_domain: 'xn--mnchen-3ya.de', pages_discovered: 3 },
    { id: 9, domain: 'example.com:8443', pages_discovered: 1 },
  ]);
});

it('the row that was there first is kept, whatever its id', async () => {
  await addDomain(database, 'example.com', { first_seen_at: at(9), source: 'link' });
  await addDomain(database, 'www.example.com', { first_seen_at: at(3), seed_rank: 7 });
  await backfill(database.db);
  expect(await readDomains()).toMatchObject([
    { id: 2, domain: 'example.com', first_seen_at: new Date(at(3)), seed_rank: 7, source: 'link' },
  ]);
});

it('a name that is free is taken by renaming', async () => {
  await addDomain(database, 'WWW.Example.com.', { base_url: 'http://www.example.com', version: 4 });
  await addDomain(database, 'shop.example.co.uk:443', { base_url: 'nonsense' });
  const { tally } = await backfill(database.db);
  expect(tally).toMatchObject({ renamed: 2, merged: 0 });
  expect(await readDomains()).toMatchObject([
    { domain: 'example.com', parent_domain: 'example.com', base_url: 'http://www.example.com' },
    { domain: 'shop.example.co.uk', parent_domain: 'example.co.uk', base_url: 'https://shop.example.co.uk' },
  ]);
});

it('of a URL both know, the row that was read stays, and of two the one read last', async () => {
  const a = await addDomain(database, 'www.example.com', { first_seen_at: at(1) });
  const b = await addDomain(database, 'example.com', { first_seen_at: at(2) });
  const c = await addDomain(database, 'Example.com', { first_seen_at: at(3) });
  // Read there, only found here.
  await addUrl(database, a, 'https://example.com/1', { state: 'never_crawled', depth: 0, isSeed: true });
  await addUrl(database, b, 'https://example.com/1', { depth: 4, at: at(5) });
  // Read by both, there later; and read earlier by a third.
  await addUrl(database, a, 'https://example.com/2', { at: at(6) });
  await addUrl(database, b, 'https://example.com/2', { at: at(8), state: 'failed' });
  await addUrl(database, c, 'https://example.com/2', { at: at(7), discoveredAt: '2025-01-01T00:00:00Z' });
  // Known to the two that go, and not to the one that stays.
  await addUrl(database, b, 'https://example.com/3', { state: 'never_crawled' });
  await addUrl(database, c, 'https://example.com/3', { at: at(7) });
  await addPage(database, a, 'https://example.com/2', { title: 'old', at: at(6), images: 1 });
  await addPage(database, b, 'https://example.com/2', { title: 'new', at: at(8), images: 5 });
  await addFetch(database, b, 'https://example.com/2', { at: at(8) });
  const ids = await database.db.query('select id from pages order by crawled_at');
  const { tally, validation } = await backfill(database.db);
  expect(validation?.isWell).toBe(true);
  expect(tally).toMatchObject({ merged: 2, moved: { duplicateUrls: 3, duplicatePages: 1, fetches: 1 } });
  const { rows } = await database.db.query(
    'select domain_id, url, state, depth, is_seed, last_crawled_at, discovered_at from urls order by url',
  );
  expect(rows).toMatchObject([
    { domain_id: a, url: 'https://example.com/1', state: 'fetched', depth: 0, is_seed: true },
    {
      ...{ domain_id: a, url: 'https://example.com/2', state: 'failed', is_seed: false },
      ...{ last_crawled_at: new Date(at(8)), discovered_at: new Date('2025-01-01T00:00:00Z') },
    },
    { domain_id: a, url: 'https://example.com/3', state: 'fetched', last_crawled_at: new Date(at(7)) },
  ]);
  const pages = await database.db.query(
    'select id, domain_id, title, first_crawled_at, crawled_at from pages',
  );
  expect(pages.rows).toEqual([
    {
      ...{ id: ids.rows[1]?.id, domain_id: a, title: 'new' },
      ...{ first_crawled_at: new Date(at(6)), crawled_at: new Date(at(8)) },
    },
  ]);
  expect(await readDomains()).toMatchObject([{ pages_discovered: 3, pages_crawled: 1, images_found: 5 }]);
});

it('robots, sitemaps, templates, runs and history come along', async () => {
  const a = await addDomain(database, 'www.example.com');
  const b = await addDomain(database, 'example.com');
  await database.execute(
    "insert into crawl_runs (crawl_key, settings) values ('\\x01', '{}'), ('\\x02', '{}')",
  );
  await database.execute(
    `insert into domain_robots (domain_id, origin, access, fetched_at, expires_at)
     values ($1, 'https://example.com', 'parse', $3, $3), ($2, 'https://example.com', 'allow-all', $4, $4),
            ($2, 'http://example.com', 'defer', $4, $4)`,
    [a, b, at(1), at(2)],
  );
  await database.execute(
    `insert into domain_sitemaps (domain_id, url, state, read_at, urls_count)
     values ($1, 'https://example.com/s.xml', 'done', $3, 9), ($2, 'https://example.com/s.xml', 'due', null, 0),
            ($2, 'https://example.com/t.xml', 'due', null, 0)`,
    [a, b, at(1)],
  );
  await database.execute(
    "insert into url_templates values ($1, '/{n}', 3), ($2, '/{n}', 4), ($2, '/x/{n}', 5)",
    [a, b],
  );
  await database.execute(
    `insert into crawl_run_domains (run_id, domain_id, is_seed, pages_count, fetches_count, errors_count, bytes_count)
     values (1, $1, false, 1, 2, 3, 4), (1, $2, true, 10, 20, 30, 40), (2, $2, false, 5, 6, 7, 8)`,
    [a, b],
  );
  await database.execute("update domains set status = 'active', status_code = 'claimed' where id = $1", [b]);
  await backfill(database.db);
  const read = async (sql: string) => (await database.db.query(sql)).rows;
  expect(await read('select domain_id, origin, access from domain_robots order by origin')).toEqual([
    { domain_id: a, origin: 'http://example.com', access: 'defer' },
    { domain_id: a, origin: 'https://example.com', access: 'allow-all' },
  ]);
  expect(await read('select domain_id, url, state, urls_count from domain_sitemaps order by url')).toEqual([
    { domain_id: a, url: 'https://example.com/s.xml', state: 'done', urls_count: 9 },
    { domain_id: a, url: 'https://example.com/t.xml', state: 'due', urls_count: 0 },
  ]);
  expect(await read('select * from url_templates order by admitted_count desc')).toEqual([
    { domain_id: a, template: '/{n}', admitted_count: 7 },
    { domain_id: a, template: '/x/{n}', admitted_count: 5 },
  ]);
  expect(
    await read(
      'select run_id, domain_id, is_seed, pages_count, bytes_count from crawl_run_domains order by 1',
    ),
  ).toEqual([
    { run_id: 1, domain_id: a, is_seed: true, pages_count: 11, bytes_count: 44 },
    { run_id: 2, domain_id: a, is_seed: false, pages_count: 5, bytes_count: 8 },
  ]);
  expect(await read('select domain_id, to_status from domain_events')).toEqual([
    { domain_id: a, to_status: 'active' },
  ]);
});

it('knows every table that hangs on domains', async () => {
  const { rows } = await database.db.query<{ name: string }>(
    `select distinct c.relname::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname in ('domain_id', 'page_domain_id') and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  // A new one needs a statement in src/control/backfill, or a merge would lose its rows. (Of bot_queues the database
  // itself takes care, when tasks come to a domain; search_languages_due is only a note that something is to be done
  // with a domain, and goes with it.)
  expect(rows.map(({ name }) => name)).toEqual([
    'bot_queues',
    'crawl_log',
    'crawl_policies',
    'crawl_results',
    'crawl_run_domains',
    'crawl_tasks',
    'dead_letters',
    'domain_events',
    'domain_proxies',
    'domain_robots',
    'domain_sitemaps',
    'error_logs',
    'image_provenance',
    'image_urls',
    'page_texts',
    'pages',
    'parse_hours',
    'product_events',
    'products',
    'proxy_usage',
    'search_languages_due',
    'url_templates',
    'urls',
  ]);
});

describe('the state', () => {
  const blocked = {
    status: 'blocked',
    status_code: 'forbidden',
    block_reason: 'they said no',
    block_reason_code: 'forbidden',
    next_crawl_after: at(20),
  };

  it.each(['pending', 'active', 'exhausted', 'unreachable'])(
    'of a kept domain that is %s becomes blocked if one it is merged with is, by legal moves',
    async (status) => {
      await addDomain(database, 'www.example.com', { status });
      await addDomain(database, 'example.com', blocked);
      await backfill(database.db);
      expect(await readDomains()).toMatchObject([
        { ...blocked, domain: 'example.com', next_crawl_after: new Date(at(20)), claimed_by: null },
      ]);
      const { rows } = await database.db.query<{ code: string; actor: string; reason: string }>(
        'select code, actor, reason from domain_events order by id',
      );
      expect(rows.at(-1)).toEqual({
        code: 'forbidden',
        actor: 'db backfill',
        reason: 'merged with example.com',
      });
    },
  );

  it('of two domains that are exhausted stays so, unless one brings a URL that is due', async () => {
    const exhausted = { status: 'exhausted', status_code: 'all_done', next_crawl_after: at(20) };
    await addDomain(database, 'www.a.example', exhausted);
    await addDomain(database, 'a.example', { ...exhausted, next_crawl_after: at(25) });
    await addDomain(database, 'www.b.example', exhausted);
    const due = await addDomain(database, 'b.example', exhausted);
    await addUrl(database, due, 'http://b.example/', { state: 'never_crawled' });
    await backfill(database.db);
    expect(await readDomains()).toMatchObject([
      { domain: 'a.example', status: 'exhausted', next_crawl_after: new Date(at(25)) },
      { domain: 'b.example', status: 'pending', status_code: 'new_urls', next_crawl_after: null },
    ]);
  });

  it('settings a person made are kept, and the gentler of two wins', async () => {
    await addDomain(database, 'www.example.com', { crawl_delay_ms: 500, max_concurrent_requests: 4 });
    await addDomain(database, 'example.com', {
      ...{ crawl_delay_ms: 3000, max_concurrent_requests: 1, is_active: false, user_agent: 'x' },
      ...{ scope: 'host', include: ['/a'], max_depth: 3, total_error_count: 4, images_stored: 2 },
    });
    await backfill(database.db);
    expect(await readDomains()).toMatchObject([
      {
        ...{ crawl_delay_ms: 3000, max_concurrent_requests: 1, is_active: false, user_agent: 'x' },
        ...{ scope: 'host', include: ['/a'], max_depth: 3, images_stored: 2 },
      },
    ]);
  });

  it('the parser and the images that were chosen for either hold for both, and of two choices the kept one', async () => {
    await addDomain(database, 'www.a.example');
    await addDomain(database, 'a.example', { parser_name: 'mine', images_mode: 'products' });
    await addDomain(database, 'www.b.example', { parser_name: 'first', images_mode: 'off' });
    await addDomain(database, 'b.example', { parser_name: 'second', images_mode: 'all' });
    await addDomain(database, 'www.c.example');
    await addDomain(database, 'c.example');
    await backfill(database.db);
    expect(await readDomains()).toMatchObject([
      { domain: 'a.example', parser_name: 'mine', images_mode: 'products' },
      { domain: 'b.example', parser_name: 'first', images_mode: 'off' },
      { domain: 'c.example', parser_name: 'generic', images_mode: null },
    ]);
  });
});

describe('a leased domain', () => {
  const leased = { status: 'active', status_code: 'claimed', claimed_by: 'w1', version: 3 };
  const live = { ...leased, claim_expires_at: new Date(Date.now() + 3_600_000) };

  it('is not touched, nor is what belongs together with it, and it is told', async () => {
    await addDomain(database, 'www.a.example');
    const held = await addDomain(database, 'a.example', { ...live, pages_crawled: 77 });
    await addUrl(database, held, 'https://a.example/');
    const misnamed = await addDomain(database, 'www.b.example', live);
    await addUrl(database, misnamed, 'https://b.example/');
    await addUrl(database, misnamed, 'https://c.example/');
    await addFetch(database, 99, 'https://a.example/lost');
    const before = await readEverything(database);
    const { tally, validation } = await backfill(database.db);
    expect(await readEverything(database)).toMatchObject({
      urls: before.urls,
      crawl_log: before.crawl_log,
      domains: expect.arrayContaining(
        before.domains?.filter((row) => row.includes('claimed_by": "w1"')) ?? [],
      ),
    });
    expect((await readDomains()).map(({ domain }) => domain)).toEqual([
      'www.a.example',
      'a.example',
      'www.b.example',
    ]);
    expect([...tally.skipped.values()].sort()).toEqual([
      'a.example',
      'a.example',
      'www.a.example',
      'www.b.example',
    ]);
    expect(tally).toMatchObject({ merged: 0, renamed: 0, rebuilt: 0 });
    expect(validation?.isWell).toBe(true);
  });

  it('whose lease has run out is merged, and its worker is fenced out', async () => {
    await addDomain(database, 'www.a.example', { ...leased, claim_expires_at: new Date(Date.now() - 1000) });
    await addDomain(database, 'a.example');
    await backfill(database.db);
    expect(await readDomains()).toMatchObject([{ domain: 'a.example', claimed_by: null, version: 4 }]);
  });
});

it('a worker that adds the name at the same moment is merged with, not stumbled over', async () => {
  await addDomain(database, 'www.a.example');
  const client = await database.db.pool.connect();
  try {
    await client.query('begin read write');
    await client.query(
      `insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', 'https://a.example')`,
    );
    const filling = backfill(database.db);
    await waitForLock();
    await client.query('commit');
    expect((await filling).tally).toMatchObject({ merged: 1, renamed: 0 });
  } finally {
    client.release();
  }
  expect(await readDomains()).toMatchObject([{ domain: 'a.example' }]);
});

async function waitForLock(): Promise<void> {
  for (;;) {
    const { rows } = await database.db.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}

it('a name no host can be made of stays, is told, and fails the check', async () => {
  await addDomain(database, 'not a host');
  const { tally, validation } = await backfill(database.db);
  expect([...tally.nameless]).toEqual(['not a host']);
  expect(validation).toMatchObject({ isWell: false, checks: { misnamedDomains: 1 } });
});

it('stopped between two portions, and killed in one, it goes on where it was', async () => {
  for (let n = 0; n < 20; n += 1) {
    const a = await addDomain(database, `www.s${n}.example`);
    const b = await addDomain(database, `s${n}.example`);
    await addUrl(database, a, `https://s${n}.example/both`);
    await addUrl(database, b, `https://s${n}.example/both`);
    await addUrl(database, b, `https://s${n}.example/${n}`);
    await addUrl(database, 1000 + n, `https://lost${n}.example/`);
  }
  const size = { domains: 4, rows: 10 };
  const stop = new AbortController();
  const first = await backfill(database.db, {
    size,
    signal: stop.signal,
    onProgress: (pass, share) => pass === 'names' && share > 0.01 && stop.abort(),
  });
  expect(first.validation).toBeUndefined();
  expect(first.tally.merged).toBeGreaterThan(0);
  expect(first.tally.merged).toBeLessThan(20);

  const pulled = await backfill(database.db, {
    size,
    onProgress: (pass, share) => {
      if (pass === 'rows' && share > 0.99) throw new Error('the plug was pulled');
    },
  }).catch((error: unknown) => error);
  expect(pulled).toEqual(new Error('the plug was pulled'));
  const { rows } = await database.db.query("select from domains where domain like 'lost%'");
  expect(rows.length).toBeGreaterThan(0);

  const last = await backfill(database.db, { size });
  expect(last.validation?.isWell).toBe(true);
  const domains = await readDomains();
  expect(domains).toHaveLength(40);
  expect(domains.slice(0, 20).map((row) => row.pages_discovered)).toEqual(new Array(20).fill(2));
  const before = await readEverything(database);
  await backfill(database.db, { size });
  expect(await readEverything(database)).toEqual(before);
});

it('tasks and policies come along; of a page that two have an order for, the first one stays', async () => {
  const a = await addDomain(database, 'www.example.com', { first_seen_at: at(1) });
  const b = await addDomain(database, 'example.com', { first_seen_at: at(2) });
  await database.execute(
    `insert into crawl_policies (domain_id, url, url_hash, frequency_hours)
     values (${a}, 'https://example.com/1', '\\x01', 1), (${b}, 'https://example.com/1', '\\x01', 2),
            (${b}, 'https://example.com/2', '\\x02', 3);
     insert into crawl_tasks (domain_id, url, url_hash, status, policy_id)
     values (${b}, 'https://example.com/1', '\\x01', 'queued', 2), (${a}, 'https://example.com/1', '\\x01', 'pending', 1),
            (${b}, 'https://example.com/3', '\\x03', 'completed', null), (${b}, 'https://example.com/2', '\\x02', 'paused', 3);
     update domains set is_explored = false where id = ${a}`,
  );
  const { tally } = await backfill(database.db);
  expect(tally).toMatchObject({ merged: 1 });
  expect(await readDomains()).toMatchObject([{ id: a, domain: 'example.com', is_explored: true }]);
  const { rows: policies } = await database.db.query('select id, domain_id from crawl_policies order by id');
  expect(policies).toEqual([
    { id: 1, domain_id: a },
    { id: 3, domain_id: a },
  ]);
  const { rows: tasks } = await database.db.query(
    'select id, domain_id, status, policy_id from crawl_tasks order by id',
  );
  expect(tasks).toEqual([
    { id: 1, domain_id: a, status: 'queued', policy_id: null },
    { id: 2, domain_id: a, status: 'cancelled', policy_id: 1 },
    { id: 3, domain_id: a, status: 'completed', policy_id: null },
    { id: 4, domain_id: a, status: 'paused', policy_id: 3 },
  ]);
});

describe('what goes through proxies, and what bots have brought', () => {
  async function addProxies(count: number): Promise<void> {
    for (let n = 1; n <= count; n += 1) {
      await database.execute('insert into proxies (proxy_url, proxy_port) values ($1, 3128)', [
        `p${n}.example`,
      ]);
    }
  }
  const read = async (sql: string) => (await database.db.query(sql)).rows;

  it('pools come along: counters are added, what is out for one is out, and a person goes before a failure', async () => {
    const [a, b, c] = [
      await addDomain(database, 'www.example.com', { first_seen_at: at(1) }),
      await addDomain(database, 'example.com', { first_seen_at: at(2) }),
      await addDomain(database, 'EXAMPLE.com', { first_seen_at: at(3) }),
    ];
    await addProxies(4);
    await database.execute(
      `insert into domain_proxies (domain_id, proxy_id, is_assigned, is_active, disabled_by, retry_at, priority,
                                   failure_count, success_count, failures_total, avg_response_time_ms,
                                   max_requests_per_hour)
       values ($1, 1, false, true, null, null, 5, 1, 10, 3, 100, 60),
              ($2, 1, true, true, null, null, 2, 4, 30, 5, 200, 50),
              ($2, 2, true, false, 'failures', $4, 5, 5, 1, 5, null, null),
              ($3, 2, true, false, 'anna', null, 5, 0, 0, 0, null, null),
              ($1, 3, true, true, null, null, 5, 0, 7, 0, 40, null),
              ($3, 4, true, false, 'failures', $4, 5, 5, 1, 5, 70, null)`,
      [a, b, c, at(20)],
    );
    await database.execute(
      `insert into proxy_usage (proxy_id, domain_id, minute, granted_count, requests_count, failures_count)
       values (1, $1, $4, 5, 4, 1), (1, $2, $4, 6, 5, 0), (1, $3, $4, 7, 7, 2), (1, $3, $5, 1, 1, 1)`,
      [a, b, c, at(10), at(11)],
    );
    const { validation } = await backfill(database.db);
    expect(validation?.isWell).toBe(true);
    const pairs = await read(
      `select domain_id, proxy_id, is_assigned, is_active, disabled_by, retry_at, priority, failure_count,
              success_count, failures_total, avg_response_time_ms, max_requests_per_hour
         from domain_proxies order by proxy_id`,
    );
    expect(pairs).toMatchObject([
      {
        ...{ domain_id: a, proxy_id: 1, is_assigned: true, is_active: true, disabled_by: null, priority: 2 },
        ...{ failure_count: 4, success_count: 40, failures_total: 8, avg_response_time_ms: 175 },
        max_requests_per_hour: 50,
      },
      { proxy_id: 2, is_active: false, disabled_by: 'anna', retry_at: null, failures_total: 5 },
      { domain_id: a, proxy_id: 3, is_active: true, success_count: 7, avg_response_time_ms: 40 },
      { domain_id: a, proxy_id: 4, is_active: false, disabled_by: 'failures', retry_at: new Date(at(20)) },
    ]);
    expect(
      await read(
        'select domain_id, granted_count, requests_count, failures_count from proxy_usage order by minute',
      ),
    ).toEqual([
      { domain_id: a, granted_count: 18, requests_count: 16, failures_count: 3 },
      { domain_id: a, granted_count: 1, requests_count: 1, failures_count: 1 },
    ]);
  });

  it.each([
    ['required', ['auto', 'required', 'direct']],
    ['direct', ['auto', 'direct', 'auto']],
    ['auto', ['auto', 'auto', 'auto']],
  ])('the way is %s where they say %j', async (merged, modes) => {
    const names = ['www.example.com', 'example.com', 'EXAMPLE.com'];
    for (const [index, name] of names.entries()) {
      const given = { proxy_mode: modes[index], proxy_requests_per_hour: 100 - index };
      await addDomain(database, name, {
        ...{ ...given, first_seen_at: at(index + 1) },
        ...(index === 2 ? { proxy_country: 'DE', proxy_rotation: 'sticky' } : {}),
      });
    }
    await backfill(database.db);
    expect(await readDomains()).toMatchObject([
      { proxy_mode: merged, proxy_country: 'DE', proxy_rotation: 'sticky', proxy_requests_per_hour: 98 },
    ]);
  });

  it('jobs, results and products come along; of two products of a page the newer stays, with the prices of both', async () => {
    const a = await addDomain(database, 'www.example.com', { first_seen_at: at(1) });
    const b = await addDomain(database, 'example.com', { first_seen_at: at(2) });
    await database.execute(
      `insert into crawl_tasks (domain_id, url, url_hash, status, executor, priority)
       values (${b}, 'https://example.com/1', '\\x01', 'pending', 'bot', 3),
              (${b}, 'https://example.com/2', '\\x02', 'completed', 'bot', 5)`,
    );
    expect(await read('select domain_id, best_priority from bot_queues')).toEqual([
      { domain_id: b, best_priority: 3 },
    ]);
    await database.execute(
      `insert into crawl_results (task_id, domain_id, lock_token, price, currency, crawled_at)
       values (2, ${b}, 1, 9.5, 'EUR', '${at(5)}')`,
    );
    await database.execute(
      `insert into products (domain_id, url, url_hash, name, content_hash, source, first_seen_at, last_seen_at)
       values (${a}, 'https://example.com/2', '\\x02', 'old', '\\x00', 'bot', '${at(1)}', '${at(4)}'),
              (${b}, 'https://example.com/2', '\\x02', 'new', '\\x00', 'bot', '${at(3)}', '${at(5)}'),
              (${b}, 'https://example.com/3', '\\x03', 'other', '\\x00', 'bot', '${at(3)}', '${at(5)}')`,
    );
    await database.execute(
      `insert into price_points (product_id, at, price, currency, source)
       values (1, '${at(1)}', 1, 'EUR', 'bot'), (1, '${at(3)}', 2, 'EUR', 'bot'), (2, '${at(3)}', 3, 'EUR', 'bot'),
              (2, '${at(5)}', 4, 'EUR', 'bot'), (3, '${at(5)}', 5, 'EUR', 'bot')`,
    );
    await database.execute(
      `insert into product_events (product_id, domain_id, at, changes, source)
       values (1, ${a}, '${at(3)}', '{}', 'bot'), (2, ${b}, '${at(5)}', '{}', 'bot'), (3, ${b}, '${at(5)}', '{}', 'bot');
       insert into parse_hours (domain_id, parser_name, parser_version, hour, pages_count, valid_count)
       values (${a}, 'generic', '1', '${at(1)}', 5, 4), (${b}, 'generic', '1', '${at(1)}', 2, 1),
              (${b}, 'generic', '2', '${at(1)}', 1, 1);
       insert into image_urls (domain_id, url_hash, url, refused_code, fetched_at)
       values (${a}, '\\x0a', 'https://example.com/a.jpg', 'old', '${at(1)}'),
              (${b}, '\\x0a', 'https://example.com/a.jpg', 'new', '${at(2)}'),
              (${b}, '\\x0b', 'https://example.com/b.jpg', 'other', '${at(2)}');
       insert into image_provenance (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, product_id,
                                     position, kind, discovery_type, first_seen_at, last_seen_at)
       select d, '\\x02', '\\x0a', 'example.com', 'https://example.com/a.jpg', p, 0, 'primary', 'discovery', f, '${at(5)}'
         from (values (${a}, 1, timestamptz '${at(1)}'), (${b}, 2, '${at(3)}')) as v (d, p, f)`,
    );
    await backfill(database.db);
    expect(await read('select product_id, domain_id from product_events order by id')).toEqual([
      ...[2, 2, 3].map((product_id) => ({ product_id, domain_id: a })),
    ]);
    expect(
      await read('select domain_id, pages_count, valid_count from parse_hours order by parser_version'),
    ).toEqual([
      { domain_id: a, pages_count: 7, valid_count: 5 },
      { domain_id: a, pages_count: 1, valid_count: 1 },
    ]);
    expect(await read('select domain_id, refused_code from image_urls order by url')).toEqual([
      { domain_id: a, refused_code: 'new' },
      { domain_id: a, refused_code: 'other' },
    ]);
    expect(await read('select page_domain_id, product_id, first_seen_at from image_provenance')).toEqual([
      { page_domain_id: a, product_id: 2, first_seen_at: new Date(at(1)) },
    ]);
    expect(await read('select domain_id, best_priority from bot_queues')).toEqual([
      { domain_id: a, best_priority: 3 },
    ]);
    expect(await read('select domain_id, task_id from crawl_results')).toEqual([
      { domain_id: a, task_id: 2 },
    ]);
    expect(await read('select domain_id, name, first_seen_at from products order by id')).toEqual([
      { domain_id: a, name: 'new', first_seen_at: new Date(at(1)) },
      { domain_id: a, name: 'other', first_seen_at: new Date(at(3)) },
    ]);
    expect(await read('select product_id, price::float8 as price from price_points order by 1, at')).toEqual([
      ...[1, 3, 4].map((price) => ({ product_id: 2, price })),
      { product_id: 3, price: 5 },
    ]);
  });
});
