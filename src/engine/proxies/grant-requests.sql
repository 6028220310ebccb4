-- Grants domains $1 up to $3 requests through proxies $2, which are locked: no more than the proxy and the pair may have
-- in any sixty minutes, and no more than a quarter of what the proxy has left, for others want some too. A grant is used
-- within two minutes, so those of the last 62 count. Tells what was granted, and where it is nothing, in how long there
-- may be something: what others hold and do not use comes back within about a minute.
-- Relies on: the primary keys of proxies, domains, domain_proxies and proxy_usage.
with asked as (
  select a.domain_id, a.proxy_id, a.wanted,
         coalesce(sum(a.wanted) over (partition by a.proxy_id order by a.domain_id
                                      rows between unbounded preceding and 1 preceding), 0)::int as wanted_before
    from unnest($1::bigint[], $2::bigint[], $3::int[]) as a (domain_id, proxy_id, wanted)
), used as (
  select p.id, p.max_requests_per_hour - t.total as room, t.oldest, t.is_held
    from (select distinct proxy_id from asked) as a
    join proxies p on p.id = a.proxy_id
   cross join lateral (
     select coalesce(sum(u.granted_count), 0)::int as total,
            min(u.minute) filter (where u.granted_count > 0) as oldest,
            coalesce(bool_or(u.granted_count > u.requests_count)
                       filter (where u.minute > forager_now() - interval '2 minutes'), false) as is_held
       from proxy_usage u
      where u.proxy_id = p.id and u.minute > forager_now() - interval '62 minutes'
   ) as t
), room as (
  select a.domain_id, a.proxy_id, a.wanted, a.wanted_before, u.room as of_proxy, u.oldest, u.is_held,
         l.most - t.total as of_pair, t.oldest as oldest_of_pair
    from asked a
    join used u on u.id = a.proxy_id
    join domains d on d.id = a.domain_id
    left join domain_proxies m on m.domain_id = a.domain_id and m.proxy_id = a.proxy_id
   cross join lateral (select coalesce(m.max_requests_per_hour, d.proxy_requests_per_hour) as most) as l
   cross join lateral (
     select coalesce(sum(u.granted_count), 0)::int as total,
            min(u.minute) filter (where u.granted_count > 0) as oldest
       from proxy_usage u
      where l.most is not null and u.proxy_id = a.proxy_id and u.domain_id = a.domain_id
        and u.minute > forager_now() - interval '62 minutes'
   ) as t
), granted as (
  select r.domain_id, r.proxy_id, r.of_proxy, r.of_pair, r.oldest, r.oldest_of_pair, r.is_held,
         greatest(0, least(r.wanted, r.of_pair, greatest(1, r.of_proxy / 4), r.of_proxy - r.wanted_before)) as granted
    from room r
), noted as (
  insert into proxy_usage as u (proxy_id, domain_id, minute, granted_count)
  select proxy_id, domain_id, date_trunc('minute', forager_now()), granted from granted where granted > 0
   order by proxy_id, domain_id
  on conflict (proxy_id, minute, domain_id) do update set granted_count = u.granted_count + excluded.granted_count
)
select domain_id as "domainId", proxy_id as "proxyId", granted, date_trunc('minute', forager_now()) as minute,
       extract(epoch from greatest(
         case when of_pair <= 0 then oldest_of_pair + interval '62 minutes' end,
         case when of_proxy > 0 or is_held then forager_now() + interval '1 minute'
              else oldest + interval '62 minutes' end) - forager_now())::float8 * 1000 as "freeInMs"
  from granted
