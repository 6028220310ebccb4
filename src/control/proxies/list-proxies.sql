-- Proxies with numbers below $1 (all: null), the newest first, at most $2: in state $3, active $4, shared $5, of
-- protocol $6, country $7, provider $8, with $9 in host, user name, provider or city (any: null).
-- Relies on: the primary keys of proxies and proxy_usage, domain_proxies_of_proxy.
select p.id, p.proxy_protocol as protocol, p.proxy_url as host, p.proxy_port as port, p.proxy_username as username,
       p.proxy_password is not null as "hasPassword", p.is_shared as "isShared", p.is_active as "isActive",
       p.disabled_by as "disabledBy", p.disabled_at as "disabledAt", p.retry_at as "retryAt",
       p.outages_count as "outagesCount", p.failure_count as "failureCount", p.success_count as "successCount",
       p.failures_total as "failuresTotal",
       round(p.success_count::numeric / nullif(p.success_count + p.failures_total, 0), 4)::float8 as "successRate",
       p.last_used_at as "lastUsedAt", p.last_success_at as "lastSuccessAt", p.last_failure_at as "lastFailureAt",
       p.last_error as "lastError", p.avg_response_time_ms as "avgResponseTimeMs",
       coalesce((select sum(u.requests_count) from proxy_usage u
                  where u.proxy_id = p.id and u.minute > forager_now() - interval '1 hour'), 0)::int
         as "requestsLastHour",
       host(p.exit_address) as "exitAddress", p.checked_at as "checkedAt", p.country_code as "countryCode", p.city,
       p.provider, p.monthly_cost::float8 as "monthlyCost", p.max_requests_per_hour as "maxRequestsPerHour",
       (select count(*) from domain_proxies dp where dp.proxy_id = p.id and dp.is_assigned)::int as "domainsCount",
       p.created_by as "createdBy", p.created_at as "createdAt", p.updated_at as "updatedAt"
  from proxies p
 where ($1::bigint is null or p.id < $1)
   and case $3::text when 'active' then p.is_active when 'out' then p.disabled_by = 'failures'
                     when 'disabled' then not p.is_active and p.disabled_by <> 'failures' else true end
   and ($4::boolean is null or p.is_active = $4)
   and ($5::boolean is null or p.is_shared = $5)
   and ($6::text is null or p.proxy_protocol = $6)
   and ($7::text is null or p.country_code = $7)
   and ($8::text is null or lower(p.provider) = lower($8))
   and ($9::text is null
        or position(lower($9) in lower(concat_ws(' ', p.proxy_url, p.proxy_username, p.provider, p.city))) > 0)
 order by p.id desc
 limit $2
