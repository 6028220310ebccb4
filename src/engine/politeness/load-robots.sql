-- Every origin's robots.txt of domain $1.
-- Relies on: the primary key of domain_robots.
select origin, access, http_status, body, note, fetched_at, expires_at
  from domain_robots where domain_id = $1 order by fetched_at desc limit 64
