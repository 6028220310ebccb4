-- What domain $1 needs proxies for, and those it has: its pool, or where it has none the shared ones. Fetches are counted
-- up to 100,000 in the last hour and 1,000,000 in the last day: beyond that it needs whatever there is.
-- Relies on: crawl_log_url, domain_proxies_assigned, proxies_shared, the primary keys of domains and proxies.
with pool as (
  select dp.is_active, dp.max_requests_per_hour as pair_limit, p.max_requests_per_hour as own_limit,
         p.is_active as is_proxy_active, p.country_code
    from domain_proxies dp
    join proxies p on p.id = dp.proxy_id
   where dp.domain_id = $1 and dp.is_assigned
  union all
  select coalesce(dp.is_active, true), dp.max_requests_per_hour, p.max_requests_per_hour, p.is_active, p.country_code
    from proxies p
    left join domain_proxies dp on dp.domain_id = $1 and dp.proxy_id = p.id
   where p.is_shared
     and not exists (select from domain_proxies o where o.domain_id = $1 and o.is_assigned)
)
select (select count(*) from (select from crawl_log l
                               where l.domain_id = $1 and l.fetched_at > forager_now() - interval '1 hour'
                               limit 100000) h)::int as "lastHour",
       (select count(*) from (select from crawl_log l
                               where l.domain_id = $1 and l.fetched_at > forager_now() - interval '1 day'
                               limit 1000000) h)::int as "lastDay",
       d.crawl_delay_ms as "delayMs", d.proxy_requests_per_hour as "domainLimit",
       f.have, f.active, f."setLimit", f."ownLimit"
  from domains d
  cross join lateral (
    select count(*)::int as have,
           (count(*) filter (where pool.is_active and pool.is_proxy_active
                               and (d.proxy_country is null or pool.country_code = d.proxy_country)))::int as active,
           avg(coalesce(pool.pair_limit, d.proxy_requests_per_hour))::float8 as "setLimit",
           avg(pool.own_limit)::float8 as "ownLimit"
      from pool) f
 where d.id = $1
