/** Domains with pages as a crawl leaves them: URLs, pages, log and counters that say the same. */
import type { TestDatabase } from './postgres.ts';

export interface PlantedDomain {
  readonly domain: string;
  readonly pages: number;
  readonly status?: 'pending' | 'active' | 'exhausted' | 'blocked';
}

/** Returns the id of each domain. Page n has status 404 where n is a multiple of ten, and n % 3 images. */
export async function plantPages(
  { execute }: TestDatabase,
  domains: readonly PlantedDomain[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const { domain, pages, status = 'exhausted' } of domains) {
    const { rows } = await execute<{ id: number }>(
      `insert into domains (domain, parent_domain, base_url, status, status_code, pages_discovered, pages_crawled,
                            images_found, crawl_depth_reached, next_crawl_after, last_crawled_at)
       values ($1::text, $1, 'https://' || $1, $2::text::domain_status, 'all_done', $3::int, $3::int,
               (select coalesce(sum(n % 3), 0) from generate_series(1, $3::int) n), case when $3::int > 0 then 7 else 0 end,
               case when $2::text = 'exhausted' then forager_now() + interval '14 days' end, forager_now())
       returning id`,
      [domain, status, pages],
    );
    const id = rows[0]?.id ?? 0;
    ids.push(id);
    const values = [id, domain, pages];
    await execute(
      `insert into urls (domain_id, url_hash, url, depth, priority, state, etag, last_modified, content_hash, simhash,
                         next_crawl_at, refresh_seconds, visits_count, last_crawled_at, last_outcome, http_status)
       select $1, sha256(('u' || $2::text || n)::bytea), 'https://' || $2 || '/' || n, n % 8, 2, 'fetched', '"' || n || '"',
              'Thu, 01 Jan 2026 00:00:00 GMT', sha256(n::text::bytea), n, forager_now() + interval '14 days', 1209600,
              1, forager_now(), 'page', case when n % 10 = 0 then 404 else 200 end
         from generate_series(1, $3::int) n`,
      values,
    );
    await execute(
      `insert into pages (domain_id, url_hash, url, run_id, depth, http_status, content_type, content_length,
                          transfer_length, content_hash, simhash, title, language, images_count, crawl_duration_ms,
                          first_crawled_at, crawled_at)
       select $1, sha256(('u' || $2::text || n)::bytea), 'https://' || $2 || '/' || n, 0, least(n % 8, 7),
              case when n % 10 = 0 then 404 else 200 end, 'text/html; charset=utf-8', 1000, 500,
              sha256(n::text::bytea), n, 'Page ' || n, case when n % 2 = 0 then 'en-GB' else 'de' end, n % 3, 20,
              forager_now(), forager_now()
         from generate_series(1, $3::int) n`,
      values,
    );
    await execute(
      `insert into crawl_log (domain_id, url_hash, url, run_id, fetched_at, outcome, http_status, duration_ms, worker_id)
       select $1, sha256(('u' || $2::text || n)::bytea), 'https://' || $2 || '/' || n, 0, forager_now(), 'page', 200, 20, 'w'
         from generate_series(1, $3::int) n`,
      values,
    );
    await execute(
      `insert into crawl_run_domains (run_id, domain_id, pages_count, fetches_count) values (0, $1, $2::int, $2::int)`,
      [id, pages],
    );
  }
  return ids;
}
