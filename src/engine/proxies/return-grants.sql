-- Of what domain $1 was granted through proxies $2 in minutes $3, $4 were not used.
-- Relies on: the primary key of proxy_usage.
update proxy_usage u
   set granted_count = greatest(0, u.granted_count - g.unused)
  from (select proxy_id, minute, sum(unused)::int as unused
          from unnest($2::bigint[], $3::timestamptz[], $4::int[]) as g (proxy_id, minute, unused)
         group by proxy_id, minute) as g
 where u.proxy_id = g.proxy_id and u.minute = g.minute and u.domain_id = $1
