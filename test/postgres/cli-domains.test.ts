/** What the commands about domains and workers show, on domains in every state. */
import { beforeAll, describe, expect, it } from 'vitest';
import { listWorkers, readStrangers } from '../../src/control/workers/list-workers.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';

let database: TestDatabase;

/** Domains of the standing order, best score first, and one of a run; times in relation to now. */
beforeAll(async () => {
  database = await createTestDatabase();
  // Time stands still, so that what is shown of it is always the same.
  await database.execute(`
    create or replace function forager_now() returns timestamptz language sql stable
      return '2026-03-01 12:00:00+00'::timestamptz;
    insert into crawl_runs (crawl_key, settings, status, max_pages_per_domain)
    values ('\\x01', '{}', 'interrupted', 50);
    insert into domains (domain, parent_domain, base_url, seed_rank, pages_discovered, pages_crawled,
                         images_found, images_stored, products_found, total_error_count, last_crawled_at, run_id)
    select name, name, 'http://' || name, rank, discovered, crawled, found, stored, products, errors,
           case when crawled > 0 then forager_now() - interval '1 hour' end, run
      from (values
        ('held.example', 8, 8500, 200, 2000, 1800, 0, 4, 0),
        ('images.example', 300, 2100, 450, 3400, 3200, 0, 14, 0),
        ('turned.example', 10, 1000, 10, 40, 80, 0, 0, 0),
        ('products.example', 900, 2100, 900, 4000, 900, 440, 0, 0),
        ('lost.example', 2000, 100, 50, 0, 0, 0, 0, 0),
        ('fresh.example', 99000, 1, 0, 0, 0, 0, 0, 0),
        ('resting.example', null, 10, 5, 0, 0, 0, 0, 0),
        ('done.example', 3, 50, 50, 12, 12, 0, 0, 0),
        ('login.example', null, 3, 3, 0, 0, 0, 1, 0),
        ('dead.example', null, 1, 0, 0, 0, 0, 4, 0),
        ('off.example', null, 1, 0, 0, 0, 0, 0, 0),
        ('run.example', null, 100, 50, 0, 0, 0, 0, 1)
      ) as v (name, rank, discovered, crawled, found, stored, products, errors, run);
    insert into crawl_run_domains (run_id, domain_id, pages_count)
    select 1, id, 50 from domains where domain = 'run.example';
    update domains set status = 'active', status_code = 'claimed', claimed_by = 'alpha',
                       claim_expires_at = forager_now() + interval '17 min'
     where domain not in ('fresh.example', 'off.example', 'lost.example');
    update domains set status = 'active', status_code = 'claimed', claimed_by = 'gone',
                       claim_expires_at = forager_now() - interval '3 min' where domain = 'lost.example';
    update domains set claimed_by = null, claim_expires_at = null
     where domain in ('images.example', 'turned.example', 'run.example');
    update domains set yielded_at = forager_now() - interval '3 min' where domain = 'turned.example';
    update domains set claimed_by = 'stranger' where domain = 'products.example';
    update domains set block_reason_code = 'held', next_crawl_after = forager_now() + interval '1 hour', claimed_by = null,
                       claim_expires_at = null where domain = 'resting.example';
    update domains set status = 'exhausted', status_code = 'all_done', claimed_by = null, claim_expires_at = null,
                       next_crawl_after = forager_now() + interval '12 days' where domain = 'done.example';
    update domains set status = 'blocked', status_code = 'login_required', block_reason_code = 'login_required',
                       block_reason = 'a login page every time', claimed_by = null, claim_expires_at = null,
                       next_crawl_after = forager_now() + interval '30 days' where domain = 'login.example';
    update domains set status = 'unreachable', status_code = 'dns_failure', automatic_retry_count = 3,
                       block_reason_code = 'dns_failure', claimed_by = null, claim_expires_at = null
     where domain = 'dead.example';
    update domains set is_active = false where domain = 'off.example';
    insert into workers (id, incarnation, kind, run_id, host, machine, pid, process_mark, program_version, state,
                         domains_count, in_flight_count, pages_count, started_at, heartbeat_at, stopped_at)
    values ('alpha', 'x', 'worker', 0, 'host-1', 'm', 4711, 'y', '0.1.0', 'running', 5, 17, 7200,
            forager_now() - interval '1 hour', forager_now() - interval '12 s', null),
           ('beta', 'x', 'worker', 0, 'host-2', 'm', 12, 'y', '0.1.0', 'draining', 0, 3, 120,
            forager_now() - interval '1 hour', forager_now() - interval '119 s', null),
           ('gone', 'x', 'crawl', 1, 'host-2', 'm', 13, 'y', '0.1.0', 'running', 1, 3, 120,
            forager_now() - interval '1 hour', forager_now() - interval '121 s', null),
           ('old', 'x', 'worker', 0, 'host-2', 'm', 11, 'y', '0.1.0', 'stopped', 0, 0, 3600,
            forager_now() - interval '9 hours', forager_now() - interval '8 hours', forager_now() - interval '8 hours'),
           ('older', 'x', 'worker', 0, 'host-2', 'm', 11, 'y', '0.1.0', 'stopped', 0, 0, 98000,
            forager_now() - interval '9 days', forager_now() - interval '8 days', forager_now() - interval '8 days');
    update workers set duties = '{parse}' where id = 'beta';
    update workers set duties = '{crawl}' where id = 'gone'`);
});

function run(...args: string[]): Promise<CliRun> {
  return runForager(args, { env: { DATABASE_URL: database.url } });
}

const names = (result: CliRun) => result.json().map(({ domain }) => domain);

describe('domain reprioritize', () => {
  it('says how many scores changed, and then that all are up to date', async () => {
    expect((await run('domain', 'reprioritize', 'fresh.example', '--json')).json()).toEqual([{ changed: 1 }]);
    expect((await run('domain', 'reprioritize')).stdout).toBe('The scores of 9 domains changed.\n');
    expect((await run('domain', 'reprioritize')).stdout).toBe('Every score is up to date.\n');
    expect((await run('domain', 'reprioritize', 'frsh.example')).stderr).toContain(
      'did you mean fresh.example',
    );
  });
});

describe('domain top', () => {
  it('orders by score unless told otherwise, without those that have none', async () => {
    const top = names(await run('domain', 'top', '--json'));
    expect(top.slice(0, 4)).toEqual(['held.example', 'turned.example', 'images.example', 'products.example']);
    expect(top).toContain('fresh.example');
    expect(top).not.toContain('login.example');
    expect(top).not.toContain('dead.example');
  });

  it.each([
    ['yield', 'held.example', false],
    ['products', 'products.example', false],
    ['pages', 'products.example', false],
    ['images', 'products.example', false],
    ['errors', 'dead.example', true],
  ])('orders by %s', async (by, first, hasDead) => {
    const top = names(await run('domain', 'top', '--json', '--by', by));
    expect(top[0]).toBe(first);
    expect(top.includes('dead.example')).toBe(hasDead);
    expect(top).not.toContain('fresh.example');
  });

  it('shows score, yields, what is left, the error rate and the last visit', async () => {
    const [row] = (await run('domain', 'top', '--json', '--by', 'images')).json();
    expect(row).toEqual({
      ...{ domain: 'products.example', status: 'active', score: expect.any(Number) },
      ...{ pagesCrawled: 900, pagesDiscovered: 2100, pagesRemaining: 1200 },
      ...{ imagesFound: 4000, imagesStored: 900, productsFound: 440, imageYield: 1 },
      ...{ productYield: expect.closeTo(0.489), imagesPerPage: expect.closeTo(4.444) },
      ...{ urlsPerPage: expect.closeTo(2.333), errorRate: 0, depth: 0, lastCrawledAt: expect.any(String) },
    });
    const { stdout } = await run('domain', 'top', '--limit', '2');
    expect(stdout).toMatch(/^DOMAIN +STATUS +SCORE +PAGES +LEFT .* YIELD +PRODUCTS +ERRORS +CRAWLED\n/);
    expect(stdout.split('\n')).toHaveLength(4);
  });

  it('exits 2 for an order there is none of', async () => {
    expect((await run('domain', 'top', '--by', 'luck')).code).toBe(2);
  });
});

describe('domain claims', () => {
  it('tells who holds how many, what ran out, and what waits for whom', async () => {
    const [report] = (await run('domain', 'claims', '--json')).json();
    expect(report).toEqual({
      claims: [
        {
          ...{ worker: 'alpha', domains: 1, earliestExpiry: expect.any(String) },
          expiresInSeconds: expect.any(Number),
        },
        expect.objectContaining({ worker: 'stranger', domains: 1 }),
      ],
      expired: { domains: 1, oldestExpiry: expect.any(String) },
      unclaimed: [
        {
          ...{ status: 'pending', ready: 1, inStoppedCrawls: 0, resting: 0, firstWakesAt: null },
          ...{ needReset: 0, switchedOff: 1 },
        },
        expect.objectContaining({ status: 'active', ready: 3, inStoppedCrawls: 1, resting: 1 }),
        expect.objectContaining({ status: 'exhausted', ready: 0, resting: 1 }),
        expect.objectContaining({ status: 'blocked', ready: 0, resting: 1, needReset: 0 }),
        expect.objectContaining({ status: 'unreachable', ready: 0, resting: 0, needReset: 1 }),
      ],
    });
  });

  it('prints the same for people', async () => {
    const { stdout } = await run('domain', 'claims');
    expect(stdout).toMatch(/^WORKER +DOMAINS +EARLIEST EXPIRY\nalpha +1 +.* UTC, in 17 min$/m);
    expect(stdout).toContain('1 lease ran out, the first on');
    expect(stdout).toMatch(/^active +3 +1 +1 +\d{4}-.* UTC +- +-$/m);
    expect(stdout).toMatch(/^unreachable +- +- +- +- +1 +-$/m);
  });
});

describe('explain of a domain', () => {
  const explain = async (name: string) => (await run('explain', name, '--json')).json()[0];

  it('shows the score term by term, and its terms add up to it', async () => {
    const { score } = (await explain('IMAGES.example')) as { score: Record<string, number> };
    expect(score).toMatchObject({
      rankPoints: 587,
      imagePoints: 7111,
      productPoints: 0,
      remainingPoints: 1000,
    });
    const { rankPoints = 0, imagePoints = 0, productPoints = 0, remainingPoints = 0 } = score;
    const { errorPoints = 0, stalenessPoints = 0 } = score;
    expect(rankPoints + imagePoints + productPoints + remainingPoints + errorPoints + stalenessPoints).toBe(
      score.score,
    );
    const { stdout } = await run('explain', 'images.example');
    expect(stdout).toMatch(/^ +image yield +\+7,111 +7\.11 images stored a page$/m);
    expect(stdout).toMatch(/^ +sum +8,683$/m);
  });

  it('shows the stored score with its age where that is another', async () => {
    expect((await run('explain', 'images.example')).stdout).not.toContain('claims go by it');
    await database.execute(
      "update domains set priority_score = 12, priority_computed_at = forager_now() - interval '40 min' where domain = 'held.example'",
    );
    expect((await run('explain', 'held.example')).stdout).toMatch(
      /^ +stored +12 +computed 40 min ago; claims go/m,
    );
  });

  it('counts those that would be claimed before it, in the order of the claim', async () => {
    // Active ones by score, then pending ones, then whoever has had a turn.
    expect(await explain('images.example')).toMatchObject({ kind: 'domain', ahead: 0, willBeClaimed: true });
    expect(await explain('fresh.example')).toMatchObject({ ahead: 1, willBeClaimed: true });
    const turned = await explain('turned.example');
    expect(turned).toMatchObject({ ahead: 2, willBeClaimed: true, claimOrder: 'score' });
    expect(String(turned?.why)).toContain('It had its turn on');
  });

  it('goes by the order of arrival where the claim does', async () => {
    const off = await runForager(['explain', 'turned.example', '--json'], {
      env: { DATABASE_URL: database.url, ENABLE_SMART_SCHEDULING: 'false' },
    });
    expect(off.json()).toMatchObject([{ claimOrder: 'arrival', ahead: 2 }]);
  });

  it('says in which queue it is, and what of its budget is used up', async () => {
    const told = await explain('run.example');
    expect(told).toMatchObject({
      queue: { run: 1, runStatus: 'interrupted', pagesOfRun: 50, workers: 0 },
      ...{ budget: 50, claimOrder: 'arrival', willBeClaimed: false },
    });
    expect(String(told?.why)).toContain('Run 1 has had its 50 pages');
    expect(await explain('fresh.example')).toMatchObject({ queue: { run: 0, workers: 1 }, budget: 1000 });
    expect((await run('explain', 'fresh.example')).stdout).toMatch(
      /^queue +the standing order, by score; 1 worker/m,
    );
  });

  it.each([
    ['held.example', true, 'alpha is at work on it'],
    ['lost.example', true, 'The lease of gone ran out'],
    ['resting.example', false, '(held)'],
    ['done.example', false, 'read again after'],
    ['login.example', false, 'attempt 1 of 3'],
    ['dead.example', false, 'waits for a person'],
    ['off.example', false, 'switched off'],
  ])('of %s says what becomes of it', async (name, willBeClaimed, sentence) => {
    const told = await explain(name);
    expect(told?.willBeClaimed).toBe(willBeClaimed);
    expect(String(told?.why)).toContain(sentence);
    const { stdout } = await run('explain', name);
    expect(stdout).toContain(sentence);
  });

  it('says so of a name that is not known, and which may be meant; a URL is still a URL', async () => {
    const unknown = await run('explain', 'hled.example');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('did you mean held.example');
    expect((await run('explain', 'no domain')).code).toBe(2);
    expect(await explain('held.example/')).toMatchObject({ kind: 'url', known: null });
    expect(await explain('http://held.example')).toMatchObject({ kind: 'url' });
  });
});

describe('domain info', () => {
  it('tells the history of its state, the newest first', async () => {
    const [info] = (await run('domain', 'info', 'login.example', '--json')).json();
    expect(info?.events).toMatchObject([
      {
        ...{ from: 'active', to: 'blocked', code: 'login_required', meaning: 'nothing but login pages' },
        ...{ reason: 'a login page every time', actor: 'alpha', restsUntil: expect.any(String) },
      },
      { from: 'pending', to: 'active', code: 'claimed', actor: 'alpha', restsUntil: null },
    ]);
    const { stdout } = await run('domain', 'info', 'login.example');
    expect(stdout).toMatch(
      /UTC {2}active → blocked {2}login_required\n +nothing but login pages: a login page every/,
    );
  });

  it('shows ten changes, and gives the last hundred to machines', async () => {
    await database.execute(`
      insert into domain_events (domain_id, from_status, to_status, code, reason)
      select id, 'pending', 'pending', 'reset', 'number ' || n
        from domains, generate_series(1, 120) n where domain = 'off.example' order by n`);
    const [info] = (await run('domain', 'info', 'off.example', '--json')).json();
    expect(info?.events).toHaveLength(100);
    const { stdout } = await run('domain', 'info', 'off.example');
    expect(stdout).toContain('number 111');
    expect(stdout).not.toContain('number 110');
    expect(stdout).toContain('and 90 more, with --json');
  });

  it('shows rates, score, next refresh and what belongs to the domain', async () => {
    await database.execute(`
      update domains set scope = 'domain', include = '{/shop/**}', exclude = '{/cart}', max_depth = 4
       where domain = 'done.example';
      insert into urls (domain_id, url_hash, url, depth, priority, state, next_crawl_at)
      select id, sha256('x'), 'http://done.example/', 0, 3, 'fetched', '2031-01-02 03:04:00+00'
        from domains where domain = 'done.example'`);
    const [info] = (await run('domain', 'info', 'done.example', '--json')).json();
    expect(info).toMatchObject({
      ...{ scope: 'domain', include: ['/shop/**'], exclude: ['/cart'], maxDepth: 4, queueRun: 0 },
      ...{ nextRefreshAt: expect.any(String), firstPageDueAt: '2031-01-02T03:04:00.000Z', pagesDue: 0 },
      score: { imageYield: 0.24, errorRate: 0 },
    });
    const { stdout } = await run('domain', 'info', 'done.example');
    expect(stdout).toMatch(
      /^next refresh +2026-03-13 12:00 UTC; its first page is due 2031-01-02 03:04 UTC$/m,
    );
    for (const part of [/^ +scope +domain$/m, /^ +include +\/shop\/\*\*$/m, /^ +exclude +\/cart$/m]) {
      expect(stdout).toMatch(part);
    }
  });
});

describe('worker list', () => {
  it('tells the living from the dead, and those that stopped today come last', async () => {
    const workers = await listWorkers(database.db);
    expect(workers.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'alpha running',
      'beta draining',
      'gone dead',
      'old stopped',
    ]);
    // A worker that died or stopped is not slow because nobody asked for a while.
    expect(workers.map(({ pagesPerSecond }) => pagesPerSecond?.toFixed(2))).toEqual([
      '2.00',
      '0.03',
      '0.03',
      '1.00',
    ]);
  });

  it('counts what the leases say beside what the worker said', async () => {
    expect(await listWorkers(database.db)).toMatchObject([
      { id: 'alpha', domainsHeld: 1, domainsSaid: 5, inFlight: 17, pages: 7200 },
      { id: 'beta', domainsHeld: 0, domainsSaid: 0 },
      { id: 'gone', domainsHeld: 0, domainsSaid: 1 },
      {},
    ]);
    expect(await readStrangers(database.db)).toEqual({ holders: 1, domains: 1 });
  });

  it('prints it for people and for machines', async () => {
    const { stdout: text } = await run('worker', 'list');
    expect(text).toMatch(/^WORKER +STATE +DOES +DOMAINS +IN FLIGHT +PAGES +PAGES\/S +HEARD OF\n/);
    expect(text).toMatch(/^alpha +running +crawl, parse +1 +17 +7,200 +2\.0 +12 s ago$/m);
    expect(text).toMatch(/^beta +draining +parse +0 /m);
    expect(text).toMatch(/^gone +dead +crawl +0 /m);
    expect(text).toContain('└─ crawl, run 1, process 13 on host-2, started');
    expect(text).toContain('said it holds 5');
    expect(text).toContain('1 process that is not registered holds 1 domain');
    const rows = (await run('worker', 'list', '--json')).json();
    expect(rows.map(({ id }) => id)).toEqual(['alpha', 'beta', 'gone', 'old']);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      ...['bytes', 'domainsHeld', 'domainsSaid', 'duties', 'errors', 'fetches', 'heartbeatAgeSeconds'],
      ...[
        'heartbeatAt',
        'host',
        'id',
        'inFlight',
        'kind',
        'pages',
        'pagesPerSecond',
        'pid',
        'programVersion',
        'run',
      ],
      ...['startedAt', 'state', 'stoppedAt', 'wanted'],
    ]);
  });

  it('is no wider than the terminal, and drops what is least needed', async () => {
    await database.execute(
      `update workers set id = 'crawler-with-a-long-name.internal.example:4711:abcdef' where id = 'alpha'`,
    );
    try {
      for (const columns of [60, 80, 100]) {
        const { stdout } = await runForager(['worker', 'list'], {
          env: { DATABASE_URL: database.url },
          columns,
        });
        expect(widestLine(stdout)).toBeLessThanOrEqual(columns);
        expect(stdout).toMatch(/^WORKER +STATE +DOES /);
        expect(stdout).toMatch(/^crawler-\S*…\S*abcdef +running +crawl, parse/m);
      }
    } finally {
      await database.execute("update workers set id = 'alpha' where id like 'crawler-%'");
    }
  });
});

describe('domain status', () => {
  it('shows which domains are paused, whatever their status', async () => {
    const { stdout } = await run('domain', 'status');
    expect(stdout).toMatch(/^off\.example +pending, paused /m);
    expect(stdout).toMatch(/^fresh\.example +pending +\d/m);
    const rows = (await run('domain', 'status', '--json')).json();
    expect(rows.filter(({ isActive }) => isActive === false).map(({ domain }) => domain)).toEqual([
      'off.example',
    ]);
  });

  it('is no wider than the terminal', async () => {
    for (const columns of [60, 80]) {
      const { stdout } = await runForager(['domain', 'status'], {
        env: { DATABASE_URL: database.url },
        columns,
      });
      expect(widestLine(stdout)).toBeLessThanOrEqual(columns);
      expect(stdout).toMatch(/^login\.example +blocked/m);
    }
  });
});
