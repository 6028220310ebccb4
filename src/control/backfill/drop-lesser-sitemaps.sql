-- Before rows of domains $1 (only those of host $2, where it is not null) are moved to domains $3: of two rows for
-- one sitemap the one that was read last stays.
-- Relies on: the primary key of domain_sitemaps.
with coming as (
  select m.to_id, s.domain_id, s.url, s.read_at, s.found_at
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
    join domain_sitemaps s on s.domain_id = m.from_id and (m.host is null or m.host = split_part(s.url, '/', 3))
), ranked as (
  select a.domain_id, a.url,
         row_number() over (partition by a.to_id, a.url
                            order by a.read_at desc nulls last, a.found_at, (a.domain_id = a.to_id) desc,
                                     a.domain_id) as place
    from (select * from coming
          union all
          select s.domain_id, s.domain_id, s.url, s.read_at, s.found_at
            from (select distinct to_id, url from coming) as c
            join domain_sitemaps s on s.domain_id = c.to_id and s.url = c.url) as a
)
delete from domain_sitemaps s using ranked
 where ranked.place > 1 and s.domain_id = ranked.domain_id and s.url = ranked.url
