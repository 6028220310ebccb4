-- When the earliest retry of domain $1 is due, in milliseconds from now; no row when nothing waits.
-- Relies on: urls_retry.
select greatest(0, extract(epoch from retry_at - forager_now()) * 1000)::float8 as wait_ms
  from urls
 where domain_id = $1 and state = 'never_crawled' and retry_at is not null
 order by retry_at
 limit 1
