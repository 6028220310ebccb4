-- Domains without a pool that have gone through shared proxies and would be crawled directly once proxies $1 are no
-- longer shared, because they are the last ones: at most 4. Looked for only where no other is left.
-- Relies on: proxies_shared, the primary keys of domain_proxies and domains, domain_proxies_assigned.
select d.domain from domains d
 where exists (select from proxies p where p.id = any ($1::bigint[]) and p.is_shared)
   and not exists (select from proxies p where p.is_shared and p.id <> all ($1))
   and d.id in (select m.domain_id from domain_proxies m where not m.is_assigned)
   and d.proxy_mode = 'auto' and d.proxy_country is null
   and not exists (select from domain_proxies o where o.domain_id = d.id and o.is_assigned)
 order by d.id
 limit 4
