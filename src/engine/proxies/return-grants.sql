-- Of what domains $1 were granted through proxies $2 in minutes $3, $4 were not used. What nothing is left of goes.
-- Relies on: the primary key of proxy_usage.
with unused as (
  select domain_id, proxy_id, minute, sum(unused)::int as unused
    from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[]) as g (domain_id, proxy_id, minute, unused)
   group by domain_id, proxy_id, minute
), gone as (
  delete from proxy_usage u
   using unused g
   where u.proxy_id = g.proxy_id and u.minute = g.minute and u.domain_id = g.domain_id
     and u.granted_count <= g.unused and u.requests_count = 0
)
update proxy_usage u
   set granted_count = greatest(0, u.granted_count - g.unused)
  from unused g
 where u.proxy_id = g.proxy_id and u.minute = g.minute and u.domain_id = g.domain_id
   and (u.granted_count > g.unused or u.requests_count > 0)
