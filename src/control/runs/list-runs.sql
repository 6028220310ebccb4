-- Crawls with a number below $1 (all: null), those in state $2 (any: null), newest first, at most $3.
-- Relies on: the primary key of crawl_runs.
select id, status::text as status, end_reason as "endReason",
       coalesce((select jsonb_agg(s) from jsonb_array_elements_text(settings -> 'seeds') with ordinality as e (s, n)
                  where n <= 5), '[]') as seeds,
       pages_count as pages, fetches_count as fetches, errors_count as errors, bytes_count as bytes,
       active_ms as "activeMs", max_pages as "maxPages", max_pages_per_domain as "maxPagesPerDomain",
       started_at as "startedAt", updated_at as "updatedAt", finished_at as "finishedAt"
  from crawl_runs
 where id > 0 and id < coalesce($1::bigint, 9223372036854775807) and ($2::text is null or status::text = $2)
 order by id desc
 limit $3
