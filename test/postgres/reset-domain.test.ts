/** A fresh start for a domain, from every state it can be in. */
import { beforeEach, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { renewLeases } from '../../src/engine/claim/claim-domains.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function makeDomain(status: string): Promise<void> {
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, status, block_reason, block_reason_code, first_blocked_at,
                          automatic_retry_count, next_crawl_after, consecutive_error_count, total_error_count, version)
     values ('a.example', 'a.example', 'http://a.example', $1, 'they said no', 'forbidden', now(), 3,
             now() + interval '14 days', 9, 20, 5)`,
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
      expect(await resetDomain(database.db, 'http://www.A.example/x', { recrawl: false })).toMatchObject({
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

it('makes fetched pages due as well when a recrawl is asked for', async () => {
  await makeDomain('exhausted');
  const report = await resetDomain(database.db, 'a.example', { recrawl: true });
  expect(report).toMatchObject({ urlsDueAgain: 5, sitemapsDueAgain: 2 });
  expect(await readStates()).toEqual([{ state: 'never_crawled', count: 6 }]);
});

it('fences out the worker that holds the domain', async () => {
  await makeDomain('active');
  await database.execute("update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 hour'");
  const lease = { domainId: 1, domain: 'a.example', parentDomain: 'a.example', version: 5 };
  expect(await renewLeases(database.db, 'w', [lease], 60_000)).toEqual(new Set([1]));
  expect(await resetDomain(database.db, 'a.example', { recrawl: false })).toMatchObject({
    fencedWorker: 'w',
  });
  expect(await renewLeases(database.db, 'w', [lease], 60_000)).toEqual(new Set());
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
  });

  it('changes nothing and names close names when the domain is unknown', async () => {
    await makeDomain('blocked');
    const { code, stderr } = await run('b.example');
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean a.example');
    expect(await readDomain()).toMatchObject({ status: 'blocked', version: 5 });
  });
});
