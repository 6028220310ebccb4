-- What domain $1 needs proxies for, and those it has: its pool, or where it has none the shared ones. Fetches are counted
-- up to 100,000 in the last hour and 1,000,000 in the last day: beyond that it needs whatever there is.
-- Relies on: crawl_log_url, domain_proxies_assigned, proxies_shared, the primary key of domains.
with own as (
  select dp.proxy_id, dp.is_active, dp.max_requests_per_hour
    from domain_proxies dp where dp.domain_id = $1 and dp.is_assigned
), pool as (
  select own.proxy_id, own.is_active, own.max_requests_per_hour from own
  union all
  select p.id, coalesce(dp.is_active, true), dp.max_requests_per_hour
    from proxies p
    left join domain_proxies dp on dp.domain_id = $1 and dp.proxy_id = p.id
   where p.is_shared and not exists (select from own)
), seen as (
  select l.fetched_at from crawl_log l
   where l.domain_id = $1 and l.fetched_at > forager_now() - interval '1 day'
   limit 1000000
)
select (select count(*) from (select from crawl_log l
                               where l.domain_id = $1 and l.fetched_at > forager_now() - interval '1 hour'
                               limit 100000) h)::int as "lastHour",
       (select count(*) from seen)::int as "lastDay",
       d.crawl_delay_ms as "delayMs", d.proxy_requests_per_hour as "domainLimit",
       (select count(*) from pool)::int as have,
       (select count(*) from pool
          join proxies p on p.id = pool.proxy_id
         where pool.is_active and p.is_active
           and (d.proxy_country is null or p.country_code = d.proxy_country))::int as active,
       (select avg(coalesce(pool.max_requests_per_hour, d.proxy_requests_per_hour))::float8 from pool) as "setLimit",
       (select avg(p.max_requests_per_hour)::float8 from pool join proxies p on p.id = pool.proxy_id) as "ownLimit"
  from domains d
 where d.id = $1
