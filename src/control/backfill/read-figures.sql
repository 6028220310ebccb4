-- What the tables say of domains that have no row: for each name $3, from the rows of domains $1 that speak of host
-- $2. A sample URL tells where the site is.
-- Relies on: crawl_log_url, the primary keys of urls and pages.
with moves as (
  select * from unnest($1::bigint[], $2::text[], $3::text[]) as m (from_id, host, name)
)
select name,
       sum(fetches)::int as fetches,
       sum(refusals)::int as refusals,
       sum(throttles)::int as throttles,
       sum(server_errors)::int as "serverErrors",
       sum(failures)::int as failures,
       min(first_at)::text as "firstAt",
       max(last_at)::text as "lastAt",
       max(url) as url
  from (select m.name, count(*) as fetches,
               count(*) filter (where l.http_status in (401, 403, 407, 451)) as refusals,
               count(*) filter (where l.http_status = 429) as throttles,
               count(*) filter (where l.http_status >= 500) as server_errors,
               count(*) filter (where l.http_status >= 400) as failures,
               min(l.fetched_at) as first_at, max(l.fetched_at) as last_at, max(l.url) as url
          from moves m
          join crawl_log l on l.domain_id = m.from_id and split_part(l.url, '/', 3) = m.host
         group by m.name
        union all
        select m.name, 0, 0, 0, 0, 0, min(u.discovered_at), max(u.last_crawled_at), max(u.url)
          from moves m
          join urls u on u.domain_id = m.from_id and split_part(u.url, '/', 3) = m.host
         group by m.name
        union all
        select m.name, 0, 0, 0, 0, 0, min(p.first_crawled_at), max(p.crawled_at), max(p.url)
          from moves m
          join pages p on p.domain_id = m.from_id and split_part(p.url, '/', 3) = m.host
         group by m.name) as parts
 group by name
 order by name
