-- The last five fetches from domain $1. The day partitions are pruned by the domain's own last visit ($2).
-- Relies on: crawl_log_url.
select fetched_at as "fetchedAt", url, outcome, http_status as "httpStatus", attempt,
       duration_ms as "durationMs", proxy_id as "proxyId", message
  from crawl_log
 where domain_id = $1 and fetched_at >= coalesce($2::timestamptz, forager_now()) - interval '1 day'
 order by fetched_at desc limit 5
