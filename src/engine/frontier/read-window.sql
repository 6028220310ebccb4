-- Up to $2 URLs of domain $1 that are due: retries whose time has come, then the frontier in its order, then, where
-- its pages are read again ($3 is not null), known pages that are due within $3 seconds, the missing ones last.
-- Relies on: urls_retry, urls_frontier, urls_refresh, urls_missing (all partial: done rows are never looked at).
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
   from urls
  where domain_id = $1 and state = 'never_crawled' and retry_at is not null and retry_at <= forager_now()
  order by retry_at
  limit $2)
union all
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
   from urls
  where domain_id = $1 and state = 'never_crawled' and retry_at is null
  order by priority desc, depth, discovered_at
  limit $2)
union all
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
   from urls
  where domain_id = $1 and state = 'fetched' and miss_count = 0
    and next_crawl_at <= forager_now() + $3::float8 * interval '1 second'
  order by next_crawl_at
  limit $2)
union all
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
   from urls
  where domain_id = $1 and state = 'fetched' and miss_count > 0
    and next_crawl_at <= forager_now() + $3::float8 * interval '1 second'
  order by next_crawl_at
  limit $2)
