-- Domains of whose requests through proxies in the last hour more than the share $1 failed, of those with at least $2:
-- at most $3, the worst first; and whether they still have anything to do with a proxy.
-- Relies on: proxy_usage_minute, the primary keys of domains and domain_proxies.
select d.domain, u.requests, u.failures,
       exists (select from domain_proxies dp where dp.domain_id = d.id) as "hasProxies"
  from (select domain_id, sum(requests_count)::int as requests, sum(failures_count)::int as failures
          from proxy_usage
         where minute > forager_now() - interval '1 hour'
         group by domain_id
        having sum(requests_count) >= $2 and sum(failures_count) > sum(requests_count) * $1::float8
         order by sum(failures_count)::float8 / sum(requests_count) desc, domain_id
         limit $3) u
  join domains d on d.id = u.domain_id
 order by u.failures::float8 / u.requests desc, d.id
