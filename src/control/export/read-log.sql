-- The log of fetches from domains $1, or of run $2; null means: any. In order of time,
-- day by day: the partitions are sorted one after the other.
-- Relies on: nothing: reads and sorts the whole log, or crawl_log_url where domains are named.
select l.url, d.domain, l.fetched_at as "fetchedAt", l.outcome, l.http_status as status, l.attempt,
       l.duration_ms as "durationMs", l.bytes_count as bytes, l.discovery_type as discovery,
       l.worker_id as worker, l.run_id as run, l.proxy_id as proxy, l.message
  from crawl_log l
  join domains d on d.id = l.domain_id
 where ($1::bigint[] is null or l.domain_id = any($1))
   and ($2::bigint is null or l.run_id = $2)
 order by l.fetched_at
