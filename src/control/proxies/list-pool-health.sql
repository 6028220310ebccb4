-- How the proxies of each domain do, domains beyond number $1 (all: null) by number, at most $2: those with a pool, and
-- those that have met shared proxies. Where there is a pool, only that counts.
-- Relies on: the primary keys of domain_proxies, domains and proxies, proxy_usage_domain.
with listed as (
  select distinct dp.domain_id from domain_proxies dp
   where $1::bigint is null or dp.domain_id > $1
   order by dp.domain_id
   limit $2
)
select d.id, d.domain, d.proxy_mode as "proxyMode", f."hasOwnPool", f."totalProxies", f."activeProxies",
       f."failingProxies", f."avgResponseTimeMs", f."successCount", f."failuresTotal", f."successRate",
       coalesce(u.requests, 0)::int as "requestsLastHour", coalesce(u.failures, 0)::int as "failuresLastHour",
       d.block_reason_code is not distinct from 'no_proxy' as "isWaiting",
       case when d.block_reason_code = 'no_proxy' then d.block_reason end as "waitingBecause"
  from listed
  join domains d on d.id = listed.domain_id
  cross join lateral (
    select bool_or(dp.is_assigned) as "hasOwnPool", count(*)::int as "totalProxies",
           (count(*) filter (where dp.is_active and p.is_active))::int as "activeProxies",
           (count(*) filter (where 'failures' in (dp.disabled_by, p.disabled_by)))::int as "failingProxies",
           avg(dp.avg_response_time_ms)::int as "avgResponseTimeMs",
           coalesce(sum(dp.success_count), 0)::float8 as "successCount",
           coalesce(sum(dp.failures_total), 0)::float8 as "failuresTotal",
           round(sum(dp.success_count) / nullif(sum(dp.success_count + dp.failures_total), 0), 4)::float8
             as "successRate"
      from domain_proxies dp
      join proxies p on p.id = dp.proxy_id
     where dp.domain_id = d.id
       and (dp.is_assigned
            or not exists (select from domain_proxies o where o.domain_id = d.id and o.is_assigned))) f
  left join lateral (
    select sum(u.requests_count) as requests, sum(u.failures_count) as failures from proxy_usage u
     where u.domain_id = d.id and u.minute > forager_now() - interval '1 hour') u on true
 order by d.id
