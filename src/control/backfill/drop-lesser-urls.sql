-- Before rows of domains $1 (only those of host $2, where it is not null) are moved to domains $3: where a URL
-- would be there twice, the row that was crawled stays, and of two the one crawled last. What the others knew of
-- how it was found is kept: the shortest way, the highest priority, the earliest moment, whether it was a seed.
-- Relies on: the primary key of urls.
with moves as (
  select * from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
), coming as (
  select m.to_id, u.domain_id, u.url_hash, u.state, u.last_crawled_at, u.depth, u.priority, u.is_seed,
         u.discovered_at
    from moves m
    join urls u on u.domain_id = m.from_id and (m.host is null or m.host = split_part(u.url, '/', 3))
), alike as (
  select * from coming
  union all
  select u.domain_id, u.domain_id, u.url_hash, u.state, u.last_crawled_at, u.depth, u.priority, u.is_seed,
         u.discovered_at
    from (select distinct to_id, url_hash from coming) as c
    join urls u on u.domain_id = c.to_id and u.url_hash = c.url_hash
), ranked as (
  select a.domain_id, a.url_hash,
         row_number() over (partition by a.to_id, a.url_hash
                            order by (a.state <> 'never_crawled') desc, a.last_crawled_at desc nulls last,
                                     (a.domain_id = a.to_id) desc, a.domain_id) as place,
         count(*) over same as copies,
         min(a.depth) over same as depth,
         max(a.priority) over same as priority,
         bool_or(a.is_seed) over same as is_seed,
         min(a.discovered_at) over same as discovered_at
    from alike a
  window same as (partition by a.to_id, a.url_hash)
), dropped as (
  delete from urls u using ranked r
   where r.place > 1 and u.domain_id = r.domain_id and u.url_hash = r.url_hash
)
update urls u
   set depth = r.depth, priority = r.priority, is_seed = r.is_seed, discovered_at = r.discovered_at
  from ranked r
 where r.place = 1 and r.copies > 1 and u.domain_id = r.domain_id and u.url_hash = r.url_hash
