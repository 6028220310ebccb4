-- Before rows of domains $1 (only those of host $2, where it is not null) are moved to domains $3: where a page
-- would be there twice, the reading that is newer stays, and remembers when the page was first read.
-- Relies on: the primary key of pages.
with moves as (
  select * from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
), coming as (
  select m.to_id, p.domain_id, p.url_hash, p.crawled_at, p.first_crawled_at
    from moves m
    join pages p on p.domain_id = m.from_id and (m.host is null or m.host = split_part(p.url, '/', 3))
), alike as (
  select * from coming
  union all
  select p.domain_id, p.domain_id, p.url_hash, p.crawled_at, p.first_crawled_at
    from (select distinct to_id, url_hash from coming) as c
    join pages p on p.domain_id = c.to_id and p.url_hash = c.url_hash
), ranked as (
  select a.domain_id, a.url_hash,
         row_number() over (partition by a.to_id, a.url_hash
                            order by a.crawled_at desc, (a.domain_id = a.to_id) desc, a.domain_id) as place,
         count(*) over same as copies,
         min(a.first_crawled_at) over same as first_crawled_at
    from alike a
  window same as (partition by a.to_id, a.url_hash)
), dropped as (
  delete from pages p using ranked r
   where r.place > 1 and p.domain_id = r.domain_id and p.url_hash = r.url_hash
)
update pages p
   set first_crawled_at = r.first_crawled_at
  from ranked r
 where r.place = 1 and r.copies > 1 and p.domain_id = r.domain_id and p.url_hash = r.url_hash
