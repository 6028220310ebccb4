-- How the proxies of each domain do, domains beyond number $1 (all: null) by number, at most $2: those with a pool, and
-- those that have met shared proxies. What counts is what the domain may use: its pool where it has one, else the shared
-- ones, met or not, up to 500; of its country where it has one; nothing where it is crawled directly.
-- Relies on: the primary keys of domain_proxies, domains and proxies, proxies_shared, proxy_usage_domain.
with listed as (
  select distinct dp.domain_id from domain_proxies dp
   where $1::bigint is null or dp.domain_id > $1
   order by dp.domain_id
   limit $2
), shared as materialized (
  select country_code, count(*)::int as total, (count(*) filter (where is_active))::int as active,
         (count(*) filter (where disabled_by = 'failures'))::int as failing
    -- as many as a worker looks at
    from (select country_code, is_active, disabled_by from proxies where is_shared
           order by last_used_at nulls first, id limit 500) p
   group by country_code
)
select d.id, d.domain, d.proxy_mode as "proxyMode", own."hasOwnPool", own.met + unmet.total as "totalProxies",
       own.active + unmet.active as "activeProxies", own.failing + unmet.failing as "failingProxies",
       own."avgResponseTimeMs", own."successCount", own."failuresTotal", own."successRate",
       coalesce(u.requests, 0)::int as "requestsLastHour", coalesce(u.failures, 0)::int as "failuresLastHour",
       d.block_reason_code is not distinct from 'no_proxy' as "isWaiting",
       case when d.block_reason_code = 'no_proxy' then d.block_reason end as "waitingBecause"
  from listed
  join domains d on d.id = listed.domain_id
  cross join lateral (
    select exists (select from domain_proxies o where o.domain_id = d.id and o.is_assigned) as "hasOwnPool") pool
  cross join lateral (
    select pool."hasOwnPool", count(*)::int as met,
           (count(*) filter (where dp.is_active and p.is_active))::int as active,
           (count(*) filter (where 'failures' in (dp.disabled_by, p.disabled_by)))::int as failing,
           -- of these, what the shared ones are counted with as well
           (count(*) filter (where p.is_active))::int as "metActive",
           (count(*) filter (where p.disabled_by = 'failures'))::int as "metFailing",
           avg(dp.avg_response_time_ms)::int as "avgResponseTimeMs",
           coalesce(sum(dp.success_count), 0)::float8 as "successCount",
           coalesce(sum(dp.failures_total), 0)::float8 as "failuresTotal",
           round(sum(dp.success_count) / nullif(sum(dp.success_count + dp.failures_total), 0), 4)::float8
             as "successRate"
      from domain_proxies dp
      join proxies p on p.id = dp.proxy_id
     where dp.domain_id = d.id and d.proxy_mode <> 'direct'
       and case when pool."hasOwnPool" then dp.is_assigned else p.is_shared end
       and (d.proxy_country is null or p.country_code = d.proxy_country)) own
  cross join lateral (
    select greatest(0, coalesce(sum(s.total), 0) - own.met)::int as total,
           greatest(0, coalesce(sum(s.active), 0) - own."metActive")::int as active,
           greatest(0, coalesce(sum(s.failing), 0) - own."metFailing")::int as failing
      from shared s
     where not pool."hasOwnPool" and d.proxy_mode <> 'direct'
       and (d.proxy_country is null or s.country_code = d.proxy_country)) unmet
  left join lateral (
    select sum(u.requests_count) as requests, sum(u.failures_count) as failures from proxy_usage u
     where u.domain_id = d.id and u.minute > forager_now() - interval '1 hour') u on true
 order by d.id
