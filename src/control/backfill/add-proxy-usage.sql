-- What domains $1 have used of proxies is added to what domains $2 have: together they keep within the rates.
-- Relies on: proxy_usage_domain, the primary key of proxy_usage.
with moved as (
  delete from proxy_usage u
   using unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
   where u.domain_id = m.from_id
  returning u.proxy_id, m.to_id, u.minute, u.granted_count, u.requests_count, u.failures_count
)
insert into proxy_usage (proxy_id, domain_id, minute, granted_count, requests_count, failures_count)
select proxy_id, to_id, minute, sum(granted_count), sum(requests_count), sum(failures_count)
  from moved
 group by proxy_id, to_id, minute
on conflict (proxy_id, minute, domain_id) do update
   set granted_count = proxy_usage.granted_count + excluded.granted_count,
       requests_count = proxy_usage.requests_count + excluded.requests_count,
       failures_count = proxy_usage.failures_count + excluded.failures_count
