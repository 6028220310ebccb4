-- When the earliest retry of domain $1 is due (where $2, of an image), in milliseconds from now; no row when nothing waits.
-- Relies on: urls_retry.
select greatest(0, extract(epoch from retry_at - forager_now()) * 1000)::float8 as wait_ms
  from urls
 where domain_id = $1 and state = 'never_crawled' and retry_at is not null and (is_image or not $2::boolean)
 order by retry_at
 limit 1
