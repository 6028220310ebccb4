-- Domains whose pool is proxy $1 alone and that would be crawled without one then (of domain $2; any: null): at most 4.
-- Relies on: domain_proxies_of_proxy, domain_proxies_assigned.
select d.domain from domain_proxies dp
  join domains d on d.id = dp.domain_id
 where dp.proxy_id = $1 and dp.is_assigned and d.proxy_mode = 'auto'
   and ($2::bigint is null or dp.domain_id = $2)
   and not exists (select from domain_proxies o
                    where o.domain_id = dp.domain_id and o.is_assigned and o.proxy_id <> dp.proxy_id)
 order by d.id
 limit 4
