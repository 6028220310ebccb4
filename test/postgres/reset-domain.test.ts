/** A fresh start for a domain, from every state it can be in. */
import os from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { renewLeases } from '../../src/engine/claim/claim-domains.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';

const byTester = { recrawl: false, actor: 'person:tester', requestTimeoutMs: 30_000 } as const;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function makeDomain(status: string): Promise<void> {
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, status, block_reason, block_reason_code, first_blocked_at,
                          automatic_retry_count, next_crawl_after, consecutive_error_count, total_error_count, version,
                          yielded_at, is_refreshing, seed_rank, priority_score)
     values ('a.example', 'a.example', 'http://a.example', $1, 'they said no', 'forbidden', now(), 3,
             now() + interval '14 days', 9, 20, 5, now(), true, 1, -500)`,
    [status],
  );
  await database.execute(`
    insert into urls (domain_id, url_hash, url, depth, priority, state, error_count, retry_at)
    select 1, sha256(v.state::bytea || v.n::text::bytea), 'http://a.example/' || v.state || v.n, 1, 2, v.state::url_state, v.n, v.retry_at
      from (values ('fetched', 0, null::timestamptz), ('failed', 4, null), ('failed', 1, null), ('blocked', 0, null),
                   ('never_crawled', 0, null), ('never_crawled', 2, now() + interval '1 hour')) as v (state, n, retry_at)`);
  await database.execute(`
    insert into domain_robots (domain_id, origin, access, expires_at) values (1, 'http://a.example', 'disallow-all', now())`);
  await database.execute(`
    insert into domain_sitemaps (domain_id, url, state) values (1, 'http://a.example/s.xml', 'failed'), (1, 'http://a.example/t.xml', 'done')`);
}

const readDomain = async () => (await database.db.query('select * from domains')).rows[0];
const readStates = async () =>
  (
    await database.db.query<{ state: string; count: number }>(
      'select state, count(*)::int from urls group by 1 order by 1',
    )
  ).rows;

describe.each(['pending', 'active', 'exhausted', 'blocked', 'unreachable'] as const)(
  'a domain that is %s',
  (status) => {
    it('becomes pending with nothing held against it', async () => {
      await makeDomain(status);
      expect(await resetDomain(database.db, 'http://www.A.example/x', byTester)).toMatchObject({
        domain: 'a.example',
        from: status,
        to: 'pending',
        clearedReason: 'they said no',
        urlsDueAgain: 4,
        urlsByState: { failed: 2, blocked: 1, never_crawled: 1 },
        robotsDropped: 1,
        sitemapsDueAgain: 1,
        version: 6,
      });
      expect(await readDomain()).toMatchObject({
        status: 'pending',
        block_reason: null,
        block_reason_code: null,
        first_blocked_at: null,
        automatic_retry_count: 0,
        next_crawl_after: null,
        consecutive_error_count: 0,
        claimed_by: null,
        yielded_at: null,
        is_refreshing: false,
        status_code: 'reset',
        error_rate: null,
        // Its rank alone: what failed before is forgotten.
        priority_score: 1000,
      });
      expect(await readStates()).toEqual([
        { state: 'never_crawled', count: 5 },
        { state: 'fetched', count: 1 },
      ]);
      const { rows } = await database.db.query(
        'select from urls where retry_at is not null or (error_count > 0)',
      );
      expect(rows).toHaveLength(0);
    });
  },
);

const readEvents = async () => (await database.db.query('select * from domain_events order by id')).rows;

describe('the history', () => {
  it.each([
    ['pending', ['pending → pending']],
    ['active', ['active → exhausted', 'exhausted → pending']],
    ['exhausted', ['exhausted → pending']],
    ['blocked', ['blocked → pending']],
    ['unreachable', ['unreachable → pending']],
  ])('says who reset a domain that was %s, and why', async (status, moves) => {
    await makeDomain(status);
    await resetDomain(database.db, 'a.example', { ...byTester, reason: 'we talked' });
    const events = await readEvents();
    expect(events.map((event) => `${event.from_status} → ${event.to_status}`)).toEqual(moves);
    for (const event of events) {
      expect(event).toMatchObject({ code: 'reset', reason: 'we talked', actor: 'person:tester' });
    }
  });

  it('has no reason where none was given, and none for what comes after', async () => {
    await makeDomain('blocked');
    await resetDomain(database.db, 'a.example', byTester);
    await database.execute("update domains set status = 'active', status_code = 'claimed', claimed_by = 'w'");
    expect(await readEvents()).toMatchObject([
      { reason: null, actor: 'person:tester' },
      { reason: null, actor: 'w' },
    ]);
  });
});

describe('a domain that a worker has', () => {
  const lease = (span: string) =>
    database.execute(`update domains set claimed_by = 'w', claim_expires_at = now() + interval '${span}'`);
  const readRest = async () =>
    (
      await database.db.query<{ rest: number | null }>(
        'select extract(epoch from next_crawl_after - updated_at)::float8 as rest from domains',
      )
    ).rows[0]?.rest;

  it.each([
    [30_000, 40],
    [2000, 12],
  ])('is claimed by nobody while requests of %s ms may be under way', async (requestTimeoutMs, seconds) => {
    await makeDomain('active');
    await lease('1 hour');
    const report = await resetDomain(database.db, 'a.example', { ...byTester, requestTimeoutMs });
    expect(report).toMatchObject({ restMs: seconds * 1000, restsUntil: expect.any(Date) });
    expect(await readRest()).toBe(seconds);
    expect((await readEvents()).at(-1)?.next_crawl_after).toEqual(report.restsUntil);
  });

  it('rests also where the lease ran out: whoever let it may not have noticed', async () => {
    await makeDomain('active');
    await lease('-1 hour');
    expect(await resetDomain(database.db, 'a.example', byTester)).toMatchObject({ fencedWorker: null });
    expect(await readRest()).toBe(40);
  });

  it('goes on resting when it is reset once more', async () => {
    await makeDomain('active');
    await lease('1 hour');
    const { restsUntil } = await resetDomain(database.db, 'a.example', byTester);
    expect(restsUntil).not.toBeNull();
    expect(await resetDomain(database.db, 'a.example', byTester)).toMatchObject({ restsUntil });
  });

  it('is free at once where nobody had it', async () => {
    await makeDomain('active');
    expect(await resetDomain(database.db, 'a.example', byTester)).toMatchObject({ restsUntil: null });
    expect(await readRest()).toBeNull();
  });
});

it('makes fetched pages due as well when a recrawl is asked for', async () => {
  await makeDomain('exhausted');
  const report = await resetDomain(database.db, 'a.example', { ...byTester, recrawl: true });
  expect(report).toMatchObject({ urlsDueAgain: 5, sitemapsDueAgain: 2 });
  expect(await readStates()).toEqual([{ state: 'never_crawled', count: 6 }]);
});

it('fences out the worker that holds the domain', async () => {
  await makeDomain('active');
  await database.execute("update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 hour'");
  const lease = { domainId: 1, domain: 'a.example', parentDomain: 'a.example', version: 5 };
  expect([...(await renewLeases(database.db, 'w', [lease], 60_000)).keys()]).toEqual([1]);
  expect(await resetDomain(database.db, 'a.example', byTester)).toMatchObject({ fencedWorker: 'w' });
  expect([...(await renewLeases(database.db, 'w', [lease], 60_000)).keys()]).toEqual([]);
});

describe('forager domain reset', () => {
  const run = (...args: string[]) =>
    runForager(['domain', 'reset', ...args], { env: { DATABASE_URL: database.url } });

  it('says what it did', async () => {
    await makeDomain('blocked');
    const { code, stdout } = await run('A.example', '--reason', 'we talked');
    expect(code).toBe(0);
    expect(stdout).toContain('a.example was blocked and is pending now (we talked).');
    expect(stdout).toContain('Forgotten: they said no.');
    expect(stdout).toContain('2 URLs that failed');
    expect(await readEvents()).toMatchObject([
      { reason: 'we talked', actor: `person:${os.userInfo().username}` },
    ]);
  });

  it('says for how long nobody claims a domain that was taken from a worker', async () => {
    await makeDomain('active');
    await database.execute(
      "update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 hour'",
    );
    const { stdout } = await run('a.example');
    expect(stdout).toContain('The worker w had it: it can write nothing more about it.');
    expect(stdout).toMatch(/nobody claims it for 40\.0 s, until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./);
  });

  it('tells machines the same under fixed names', async () => {
    await makeDomain('unreachable');
    const [report] = (await run('a.example', '--json', '--reason', 'why not')).json();
    expect(Object.keys(report ?? {}).sort()).toEqual([
      ...[
        'actor',
        'clearedReason',
        'domain',
        'fencedWorker',
        'from',
        'restMs',
        'restsUntil',
        'robotsDropped',
      ],
      ...['sitemapsDueAgain', 'to', 'urlsByState', 'urlsDueAgain', 'version', 'why'],
    ]);
    expect(report).toMatchObject({ from: 'unreachable', to: 'pending', why: 'why not', restsUntil: null });
  });

  it('changes nothing and names close names when the domain is unknown', async () => {
    await makeDomain('blocked');
    const { code, stderr } = await run('b.example');
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean a.example');
    expect(await readDomain()).toMatchObject({ status: 'blocked', version: 5 });
  });
});
