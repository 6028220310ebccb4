-- Before policies of domains $1 (only those of host $2, where it is not null) are moved to domains $3: where a page
-- would have two, the one that was there first stays.
-- Relies on: the unique index of crawl_policies on domain and page, its primary key.
with coming as (
  select m.to_id, p.id, p.url_hash
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
    join crawl_policies p on p.domain_id = m.from_id and (m.host is null or m.host = split_part(p.url, '/', 3))
), alike as (
  select to_id, id, url_hash from coming
  union all
  select p.domain_id, p.id, p.url_hash
    from (select distinct to_id, url_hash from coming) as c
    join crawl_policies p on p.domain_id = c.to_id and p.url_hash = c.url_hash
), ranked as (
  select id, row_number() over (partition by to_id, url_hash order by id) as place from alike
)
delete from crawl_policies p using ranked r where r.place > 1 and p.id = r.id
