-- The last $3 fetches of the URL with hash $2 of domain $1.
-- Relies on: crawl_log_url.
select fetched_at as "fetchedAt", outcome, http_status as "httpStatus", attempt, duration_ms as "durationMs",
       bytes_count as bytes, discovery_type as "discoveryType", run_id as run, proxy_id as "proxyId", message
  from crawl_log where domain_id = $1 and url_hash = $2 order by fetched_at desc limit $3
