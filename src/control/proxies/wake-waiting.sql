-- Domains that wait for a proxy and may find one now: those with one of the proxies $1 in their pool, and where $2 those
-- without a pool, which use shared ones. Nobody is at them. Whoever is locked at this moment looks again by himself.
-- Relies on: domains_without_proxy, the primary key of domain_proxies, domain_proxies_assigned.
update domains d
   set next_crawl_after = null, block_reason = null, block_reason_code = null, first_blocked_at = null,
       updated_at = forager_now()
 where d.id in (
   select w.id from domains w
    where w.block_reason_code = 'no_proxy' and w.claimed_by is null and w.status in ('pending', 'active')
      and (exists (select from domain_proxies dp
                    where dp.domain_id = w.id and dp.is_assigned and dp.proxy_id = any ($1::bigint[]))
           or ($2::boolean
               and not exists (select from domain_proxies dp where dp.domain_id = w.id and dp.is_assigned)))
    order by w.id
      for no key update skip locked)
