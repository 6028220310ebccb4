/** What a crawl left in the database, and what must hold of it whatever happened in between. */
import { expect } from 'vitest';
import { readExchange } from '../../src/engine/store/read-exchange.ts';
import type { Queryable } from '../../src/platform/database.ts';

export interface PageRow {
  readonly url: string;
  readonly title: string | null;
  readonly http_status: number;
  readonly charset: string | null;
  readonly depth: number;
  readonly is_noindex: boolean;
  readonly is_nofollow: boolean;
  readonly segment: string | null;
  readonly segment_offset: number | null;
  readonly segment_length: number | null;
  readonly transfer_length: number;
}

export async function readPageRows(db: Queryable): Promise<PageRow[]> {
  const { rows } = await db.query<PageRow>(
    `select p.url, p.title, p.http_status, p.charset, p.depth, p.is_noindex, p.is_nofollow, s.name as segment,
            p.segment_offset::float8 as segment_offset, p.segment_length, p.transfer_length
       from pages p left join warc_segments s on s.id = p.segment_id order by p.url`,
  );
  return rows;
}

/** Paths of the pages a site gave, sorted. */
export async function readPagePaths(db: Queryable): Promise<string[]> {
  return (await readPageRows(db)).map(({ url }) => pathOf(url)).sort();
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

export interface UrlRow {
  readonly url: string;
  readonly state: string;
  readonly last_outcome: string | null;
  readonly error_count: number;
  readonly http_status: number | null;
  readonly redirect_count: number;
}

export async function readUrlRows(db: Queryable): Promise<UrlRow[]> {
  const { rows } = await db.query<UrlRow>(
    'select url, state::text as state, last_outcome, error_count, http_status, redirect_count from urls order by url',
  );
  return rows;
}

/** The row of the URL that ends in this path. */
export async function readUrlRow(db: Queryable, path: string): Promise<UrlRow | undefined> {
  return (await readUrlRows(db)).find(({ url }) => pathOf(url) === path);
}

export interface DomainRow {
  readonly domain: string;
  readonly status: string;
  readonly code: string | null;
  readonly reason: string | null;
  readonly claimed_by: string | null;
  readonly version: number;
  readonly is_resting: boolean;
  readonly pages_crawled: number;
  readonly pages_discovered: number;
}

export async function readDomainRows(db: Queryable): Promise<DomainRow[]> {
  const { rows } = await db.query<DomainRow>(
    `select domain, status::text as status, block_reason_code as code, block_reason as reason, claimed_by,
            version::float8 as version, coalesce(next_crawl_after > now(), false) as is_resting,
            pages_crawled::float8 as pages_crawled, pages_discovered::float8 as pages_discovered
       from domains order by domain`,
  );
  return rows;
}

export async function readDomainRow(db: Queryable, startsWith: string): Promise<DomainRow | undefined> {
  return (await readDomainRows(db)).find(({ domain }) => domain.startsWith(startsWith));
}

export interface LogRow {
  readonly url: string;
  readonly outcome: string;
  readonly attempt: number;
}

export async function readLog(db: Queryable): Promise<LogRow[]> {
  const { rows } = await db.query<LogRow>('select url, outcome, attempt from crawl_log order by fetched_at');
  return rows;
}

/**
 * Counters say what the rows say, no page was written down twice, nobody holds a domain any more. True after
 * every crawl that has ended, whatever was done to it meanwhile.
 */
export async function expectConsistent(db: Queryable): Promise<void> {
  const wrongCounters = await db.query(
    `select d.domain, d.pages_crawled, d.pages_discovered,
            (select count(*) from pages p where p.domain_id = d.id) as pages,
            (select count(*) from urls u where u.domain_id = d.id and not u.is_image) as urls,
            (select coalesce(sum(m.pages_count), 0) from crawl_run_domains m where m.domain_id = d.id) as run_pages
       from domains d
      where d.pages_crawled <> (select count(*) from pages p where p.domain_id = d.id)
         or d.pages_discovered <> (select count(*) from urls u where u.domain_id = d.id and not u.is_image)
         or d.pages_crawled <>
            (select coalesce(sum(m.pages_count), 0) from crawl_run_domains m where m.domain_id = d.id)`,
  );
  expect(wrongCounters.rows).toEqual([]);
  const wrongRuns = await db.query(
    `select r.id, r.pages_count, r.fetches_count, sum(m.pages_count) as pages, sum(m.fetches_count) as fetches,
            (select count(*) from crawl_log l where l.run_id = r.id) as logged
       from crawl_runs r join crawl_run_domains m on m.run_id = r.id
      -- The standing order has no counters but those of its domains and workers.
      where r.id > 0
      group by r.id
     having r.pages_count <> sum(m.pages_count) or r.fetches_count <> sum(m.fetches_count)
         or r.fetches_count <> (select count(*) from crawl_log l where l.run_id = r.id)`,
  );
  expect(wrongRuns.rows).toEqual([]);
  const standing = await db.query<{ fetches: number; logged: number }>(
    `select (select coalesce(sum(fetches_count), 0) from crawl_run_domains where run_id = 0)::int as fetches,
            (select count(*) from crawl_log where run_id = 0)::int as logged`,
  );
  expect(standing.rows[0]?.fetches).toBe(standing.rows[0]?.logged);
  const twice = await db.query(
    "select url, count(*)::int as times from crawl_log where outcome = 'page' group by url having count(*) > 1",
  );
  expect(twice.rows).toEqual([]);
  const unaccounted = await db.query(
    `select p.url from pages p
      where not exists (select from crawl_log l where l.domain_id = p.domain_id and l.url_hash = p.url_hash
                           and l.outcome = 'page')
         or not exists (select from urls u where u.domain_id = p.domain_id and u.url_hash = p.url_hash
                           and u.state = 'fetched')`,
  );
  expect(unaccounted.rows).toEqual([]);
  const held = await db.query('select domain, claimed_by from domains where claimed_by is not null');
  expect(held.rows).toEqual([]);
}

/** What was counted is what was logged, as long as nobody has removed anything of the log. */
export async function expectFiguresExact(db: Queryable): Promise<void> {
  const figures = await db.query<{ fetches: number; logged: number }>(
    `select (select coalesce(sum(count), 0)
               from (select tally, count from stats_totals
                     union all select tally, count from stats_minutely where worker_id <> '') as c
              where tally = 'fetches')::int as fetches,
            (select count(*) from crawl_log)::int as logged`,
  );
  expect(figures.rows[0]?.fetches).toBe(figures.rows[0]?.logged);
}

/** Reads every page's body back from the archive; returns them by URL. */
export async function readBodies(db: Queryable, directory: string): Promise<Map<string, Buffer>> {
  const bodies = new Map<string, Buffer>();
  for (const { url, segment, segment_offset, segment_length } of await readPageRows(db)) {
    if (segment === null || segment_offset === null || segment_length === null) continue;
    const location = { segment, offset: segment_offset, length: segment_length };
    bodies.set(url, (await readExchange(directory, location, url)).rawBody);
  }
  return bodies;
}
