-- What domains $1 have used of proxies is added to what domains $2 have: together they keep within the rates.
-- Relies on: proxy_usage_domain, the primary key of proxy_usage.
insert into proxy_usage (proxy_id, domain_id, minute, granted_count, requests_count, failures_count)
select u.proxy_id, m.to_id, u.minute, sum(u.granted_count), sum(u.requests_count), sum(u.failures_count)
  from unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
  join proxy_usage u on u.domain_id = m.from_id
 group by u.proxy_id, m.to_id, u.minute
on conflict (proxy_id, minute, domain_id) do update
   set granted_count = proxy_usage.granted_count + excluded.granted_count,
       requests_count = proxy_usage.requests_count + excluded.requests_count,
       failures_count = proxy_usage.failures_count + excluded.failures_count
