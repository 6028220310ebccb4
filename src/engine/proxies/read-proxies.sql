-- Proxies that anybody may use, at most $2 of them, and those that are assigned to domains $1. Times are told from now
-- on, since the clocks of two machines differ.
-- Relies on: proxies_shared, domain_proxies_assigned.
with wanted as (
  (select p.id from proxies p where p.is_shared order by p.last_used_at nulls first, p.id limit $2)
  union
  select m.proxy_id from domain_proxies m where m.domain_id = any($1::bigint[]) and m.is_assigned
)
select p.id, p.proxy_protocol as protocol, p.proxy_url as host, p.proxy_port as port, p.proxy_username as username,
       p.proxy_password as password, p.is_shared as "isShared", p.country_code as "countryCode",
       p.is_active as "isActive", p.disabled_by = 'failures' as "isOutForFailures",
       extract(epoch from p.retry_at - forager_now())::float8 * 1000 as "retryInMs",
       p.failure_count as "failureCount", p.outages_count as "outagesCount",
       p.last_success_at is not null as "hasWorked",
       extract(epoch from forager_now() - p.last_used_at)::float8 * 1000 as "usedAgoMs"
  from wanted w
  join proxies p on p.id = w.id
