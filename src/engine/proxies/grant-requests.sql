-- Grants domain $1 up to $3 requests through each of proxies $2, which are locked: no more than the proxy and the pair
-- may have in any sixty minutes. A grant is used within two minutes, so those of the last 62 count. Tells what was
-- granted, and where it is nothing, in how long there may be something.
-- Relies on: the primary keys of proxies, domain_proxies and proxy_usage.
with room as (
  select a.proxy_id, a.wanted, p.max_requests_per_hour - t.total as of_proxy, t.oldest,
         coalesce(m.max_requests_per_hour, d.proxy_requests_per_hour) - t.of_domain as of_pair, t.oldest_of_domain
    from unnest($2::bigint[], $3::int[]) as a (proxy_id, wanted)
    join proxies p on p.id = a.proxy_id
    join domains d on d.id = $1
    left join domain_proxies m on m.domain_id = $1 and m.proxy_id = a.proxy_id
   cross join lateral (
     select coalesce(sum(u.granted_count), 0)::int as total,
            coalesce(sum(u.granted_count) filter (where u.domain_id = $1), 0)::int as of_domain,
            min(u.minute) filter (where u.granted_count > 0) as oldest,
            min(u.minute) filter (where u.granted_count > 0 and u.domain_id = $1) as oldest_of_domain
       from proxy_usage u
      where u.proxy_id = a.proxy_id and u.minute > forager_now() - interval '62 minutes'
   ) as t
), granted as (
  select proxy_id, greatest(0, least(wanted, of_proxy, of_pair)) as granted,
         case when of_proxy <= 0 then oldest end as proxy_since,
         case when of_pair <= 0 then oldest_of_domain end as pair_since
    from room
), noted as (
  insert into proxy_usage as u (proxy_id, domain_id, minute, granted_count)
  select proxy_id, $1, date_trunc('minute', forager_now()), granted from granted where granted > 0
  on conflict (proxy_id, minute, domain_id) do update set granted_count = u.granted_count + excluded.granted_count
)
select proxy_id as "proxyId", granted, date_trunc('minute', forager_now()) as minute,
       extract(epoch from greatest(proxy_since, pair_since) + interval '62 minutes' - forager_now())::float8 * 1000
         as "freeInMs"
  from granted
