-- Up to $2 URLs of domain $1 that are due: retries whose time has come, then the frontier in its order.
-- Relies on: urls_retry, urls_frontier (both partial: done rows are never looked at).
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified
   from urls
  where domain_id = $1 and state = 'never_crawled' and retry_at is not null and retry_at <= forager_now()
  order by retry_at
  limit $2)
union all
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified
   from urls
  where domain_id = $1 and state = 'never_crawled' and retry_at is null
  order by priority desc, depth, discovered_at
  limit $2)
