-- Proxies of domain $1 and what it has seen of them, by priority, beyond priority $2 and proxy $3 (all: null), at most
-- $5: those in its pool ($4), those that it has only met (not $4), or both (null).
-- Relies on: the primary keys of domain_proxies, proxies and proxy_usage.
select dp.proxy_id as "proxyId", p.proxy_protocol as protocol, p.proxy_url as host, p.proxy_port as port,
       p.proxy_username as username, dp.is_assigned as "isAssigned", dp.priority,
       dp.max_requests_per_hour as "maxRequestsPerHour",
       least(coalesce(dp.max_requests_per_hour, d.proxy_requests_per_hour), p.max_requests_per_hour)
         as "effectiveMaxRequestsPerHour",
       dp.is_active as "isActive", dp.disabled_by as "disabledBy", dp.disabled_at as "disabledAt",
       dp.retry_at as "retryAt", dp.outages_count as "outagesCount", dp.failure_count as "failureCount",
       dp.success_count as "successCount", dp.failures_total as "failuresTotal",
       round(dp.success_count::numeric / nullif(dp.success_count + dp.failures_total, 0), 4)::float8 as "successRate",
       dp.last_used_at as "lastUsedAt", dp.last_success_at as "lastSuccessAt", dp.last_failure_at as "lastFailureAt",
       dp.last_error as "lastError", dp.avg_response_time_ms as "avgResponseTimeMs",
       coalesce(u.requests, 0)::int as "requestsLastHour", coalesce(u.granted, 0)::int as "grantedLastHour",
       p.country_code as "countryCode", p.provider, dp.created_at as "createdAt", dp.updated_at as "updatedAt",
       p.is_active as "isProxyActive", p.disabled_by as "proxyDisabledBy", p.retry_at as "proxyRetryAt",
       d.proxy_country is not null and p.country_code is distinct from d.proxy_country as "isElsewhere"
  from domain_proxies dp
  join domains d on d.id = dp.domain_id
  join proxies p on p.id = dp.proxy_id
  left join lateral (
    select sum(u.requests_count) as requests, sum(u.granted_count) as granted from proxy_usage u
     where u.proxy_id = dp.proxy_id and u.domain_id = dp.domain_id and u.minute > forager_now() - interval '1 hour') u
    on true
 where dp.domain_id = $1
   and ($2::int is null or (dp.priority, dp.proxy_id) > ($2, $3::bigint))
   and ($4::boolean is null or dp.is_assigned = $4)
 order by dp.priority, dp.proxy_id
 limit $5
