-- Up to $2 images of domain $1 to be tried again, and up to $2 that were never asked for, in the order in which they were
-- found.
-- Relies on: urls_retry, urls_images (both partial: done rows are never looked at).
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
   from urls
  where domain_id = $1 and is_image and state = 'never_crawled' and retry_at is not null and retry_at <= forager_now()
  order by retry_at
  limit $2)
union all
(select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
        etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
   from urls
  where domain_id = $1 and is_image and state = 'never_crawled' and retry_at is null
  order by discovered_at
  limit $2)
