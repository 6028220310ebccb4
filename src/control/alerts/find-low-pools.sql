-- Domains that are crawled through a pool of their own in which fewer than $1 proxies can be used, at most $2. Of large
-- pools no more is looked at than it takes to know that they are well.
-- Relies on: domain_proxies_assigned, the primary keys of domains and proxies.
select d.domain, f.total, f.active
  from (select distinct dp.domain_id from domain_proxies dp where dp.is_assigned) pooled
  join domains d on d.id = pooled.domain_id and d.is_active and d.proxy_mode <> 'direct'
  cross join lateral (
    select count(*)::int as active from (
      select from domain_proxies dp
        join proxies p on p.id = dp.proxy_id and p.is_active
       where dp.domain_id = d.id and dp.is_assigned and dp.is_active
         and (d.proxy_country is null or p.country_code = d.proxy_country)
       limit $1) well) a
  cross join lateral (
    select a.active, (select count(*) from domain_proxies dp where dp.domain_id = d.id and dp.is_assigned)::int as total) f
 where a.active < $1
 order by d.id
 limit $2
