/** Many domains at once: the work is done set by set. */
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { backfill } from '../../src/control/backfill/backfill.ts';
import { createTestDatabase } from '../support/postgres.ts';

it('2,000 domains with 100,000 URLs, a quarter misspelt and a quarter lost', {
  timeout: 300_000,
}, async () => {
  const database = await createTestDatabase();
  // d1 … d1000, www.d1 … www.d500, and lost1 … lost500, which have no row.
  await database.execute(`
    insert into domains (domain, parent_domain, base_url, first_seen_at, pages_crawled)
    select name, name, 'http://' || name, '2026-01-01', 7
      from (select 'd' || n || '.example' as name from generate_series(1, 1000) n
            union all select 'www.d' || n || '.example' from generate_series(1, 500) n
            union all select 'lost' || n || '.example' from generate_series(1, 500) n) as names`);
  // 50 URLs each, of which a misspelt domain shares 10 with its namesake.
  await database.execute(`
    insert into urls (domain_id, url_hash, url, depth, priority, state, last_crawled_at, discovered_at)
    select v.id, sha256(v.url::bytea), v.url, 1, 2, v.state::url_state,
           case when v.state = 'fetched' then '2026-02-01'::timestamptz end, '2026-01-02'
      from (select d.id, case when p % 2 = 0 then 'fetched' else 'never_crawled' end as state,
                   'http://' || case when p <= 10 then replace(d.domain, 'www.', '') else d.domain end || '/' || p as url
              from domains d, generate_series(1, 50) p) as v`);
  await database.execute(`
    insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length, images_count,
                       crawl_duration_ms)
    select domain_id, url_hash, url, 1, 200, 1, 1, 3, 1 from urls where state = 'fetched'`);
  await database.execute(`
    insert into crawl_log (domain_id, url_hash, url, fetched_at, outcome, http_status, duration_ms, worker_id)
    select domain_id, url_hash, url, '2026-02-01', 'page', 200, 1, 'w' from urls where state = 'fetched'`);
  await database.execute("delete from domains where domain like 'lost%'");

  const statements = vi.spyOn(pg.Client.prototype, 'query');
  const { tally, validation } = await backfill(database.db);
  // Domain by domain it would be thousands.
  expect(statements.mock.calls.length).toBeLessThan(300);
  statements.mockRestore();
  expect(validation?.checks).toEqual({
    ...{ orphanUrls: 0, orphanPages: 0, orphanFetches: 0 },
    ...{ misnamedDomains: 0, misplacedRows: 0, disagreeingCounters: 0 },
  });
  expect(tally).toMatchObject({
    ...{ rebuilt: 500, merged: 500, renamed: 0, correctedDomains: 1000 },
    moved: { urls: 45_000, pages: 22_500, fetches: 25_000, duplicateUrls: 5000, duplicatePages: 2500 },
  });
  const { rows } = await database.db.query(
    `select count(*)::int as domains, sum(pages_discovered)::int as urls, sum(pages_crawled)::int as pages,
            sum(images_found)::int as images from domains`,
  );
  expect(rows).toEqual([{ domains: 1500, urls: 95_000, pages: 47_500, images: 142_500 }]);
  await database.drop();
});
