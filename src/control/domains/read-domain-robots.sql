-- robots.txt of every origin of domain $1, as last read.
-- Relies on: the primary key of domain_robots.
select origin, access, http_status as "httpStatus", note, crawl_delay_seconds as "crawlDelaySeconds",
       length(body) as bytes, fetched_at as "fetchedAt", expires_at as "expiresAt", expires_at > forager_now() as "isFresh"
  from domain_robots where domain_id = $1 order by origin limit 64
