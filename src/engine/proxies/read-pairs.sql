-- What domains $1 want of proxies, and what is known of the proxies that they use.
-- Relies on: the primary keys of domains and domain_proxies.
select d.id as "domainId", d.proxy_mode as mode, d.proxy_country as country, d.proxy_rotation as rotation,
       m.proxy_id as "proxyId", coalesce(m.is_assigned, false) as "isAssigned", m.priority,
       m.is_active as "isActive", m.disabled_by = 'failures' as "isOutForFailures",
       extract(epoch from m.retry_at - forager_now())::float8 * 1000 as "retryInMs",
       m.failure_count as "failureCount", m.outages_count as "outagesCount",
       m.last_success_at is not null as "hasWorked", m.avg_response_time_ms as "responseMs",
       case when not m.is_active then m.last_error end as "lastError",
       extract(epoch from forager_now() - m.last_used_at)::float8 * 1000 as "usedAgoMs"
  from domains d
  left join domain_proxies m on m.domain_id = d.id
 where d.id = any($1::bigint[])
