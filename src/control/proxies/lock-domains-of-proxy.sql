-- Domains that have proxy $1 in their pool, or where $2 have only met it, held against changes by number: before the
-- proxy itself is.
-- Relies on: domain_proxies_of_proxy, domain_proxies_proxy.
select d.id from domains d
 where d.id in (select dp.domain_id from domain_proxies dp where dp.proxy_id = $1 and (dp.is_assigned or $2::boolean))
 order by d.id
   for no key update
