-- Of the proxies of domain $1 (of $2 alone; all: null), how many cannot be used: of its pool, or where it has none of
-- those that it has met.
-- Relies on: the primary keys of domain_proxies and proxies.
select count(*)::int as count
  from domain_proxies dp
  join proxies p on p.id = dp.proxy_id
 where dp.domain_id = $1 and ($2::bigint is null or dp.proxy_id = $2)
   and not (dp.is_active and p.is_active)
   and (dp.is_assigned or $2::bigint is not null
        or not exists (select from domain_proxies o where o.domain_id = $1 and o.is_assigned))
