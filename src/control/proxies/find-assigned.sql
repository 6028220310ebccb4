-- Which of the proxies $2 there are, and whether they are in the pool of domain $1.
-- Relies on: the primary keys of proxies and domain_proxies.
select p.id, coalesce(dp.is_assigned, false) as "isAssigned"
  from proxies p
  left join domain_proxies dp on dp.domain_id = $1 and dp.proxy_id = p.id
 where p.id = any ($2::bigint[])
