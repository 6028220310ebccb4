-- Before rows of domains $1 (only those of host $2, where it is not null) are moved to domains $3: of two readings
-- of one robots.txt the newer stays.
-- Relies on: the primary key of domain_robots.
with coming as (
  select m.to_id, r.domain_id, r.origin, r.fetched_at
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
    join domain_robots r on r.domain_id = m.from_id and (m.host is null or m.host = split_part(r.origin, '/', 3))
), ranked as (
  select a.domain_id, a.origin,
         row_number() over (partition by a.to_id, a.origin
                            order by a.fetched_at desc, (a.domain_id = a.to_id) desc, a.domain_id) as place
    from (select * from coming
          union all
          select r.domain_id, r.domain_id, r.origin, r.fetched_at
            from (select distinct to_id, origin from coming) as c
            join domain_robots r on r.domain_id = c.to_id and r.origin = c.origin) as a
)
delete from domain_robots r using ranked
 where ranked.place > 1 and r.domain_id = ranked.domain_id and r.origin = ranked.origin
