-- Up to $2 images of domain $1 that were never asked for, in the order in which they were found.
-- Relies on: urls_images (partial: done rows and pages are never looked at).
select url_hash, url, depth, priority, is_seed, redirect_count, error_count,
       etag, last_modified, state, content_hash, refresh_seconds, miss_count, is_image
  from urls
 where domain_id = $1 and is_image and state = 'never_crawled' and retry_at is null
 order by discovered_at
 limit $2
