-- robots.txt of the origins of domain $1 as last read, the latest first, at most $2; where $3 is an origin, that one
-- only.
-- Relies on: the primary key of domain_robots.
select origin, access, http_status as "httpStatus", body, note, fetched_at as "fetchedAt",
       expires_at as "expiresAt", expires_at > forager_now() as "isFresh"
  from domain_robots
 where domain_id = $1 and ($3::text is null or origin = $3)
 order by fetched_at desc, origin
 limit $2
