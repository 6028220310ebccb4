-- robots.txt of every origin of domains $1, the latest first, at most 64 for each.
-- Relies on: the primary key of domain_robots.
select r.domain_id, r.origin, r.access, r.http_status, r.body, r.note, r.fetched_at, r.expires_at
  from unnest($1::bigint[]) as v (domain_id),
       lateral (select * from domain_robots d where d.domain_id = v.domain_id
                 order by d.fetched_at desc limit 64) as r
