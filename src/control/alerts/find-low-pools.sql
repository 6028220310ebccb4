-- Domains that are to be crawled through proxies and of which fewer than $1 can be used, at most $2: of their pool, or
-- where they have none and must not go directly, of the shared ones. No more is looked at than it takes to know that
-- they are well.
-- Relies on: domain_proxies_assigned, domains_needing_proxy, proxies_shared, primary keys.
with needing as (
  select dp.domain_id as id from domain_proxies dp where dp.is_assigned
  union
  select d.id from domains d where d.proxy_mode = 'required' or d.proxy_country is not null
), shared as materialized (
  select id, country_code from proxies where is_shared and is_active
)
select d.domain, h."hasPool", a.active, d.status in ('pending', 'active') as "isAtWork",
       case when h."hasPool" then (select count(*) from domain_proxies dp where dp.domain_id = d.id and dp.is_assigned)
            else (select count(*) from proxies p where p.is_shared) end::int as total
  from needing n
  join domains d on d.id = n.id and d.is_active and d.proxy_mode <> 'direct'
  cross join lateral (
    select exists (select from domain_proxies dp where dp.domain_id = d.id and dp.is_assigned) as "hasPool") h
  cross join lateral (
    select count(*)::int as active from (
      select 1 from domain_proxies dp
        join proxies p on p.id = dp.proxy_id and p.is_active
       where h."hasPool" and dp.domain_id = d.id and dp.is_assigned and dp.is_active
         and (d.proxy_country is null or p.country_code = d.proxy_country)
       union all
      select 1 from shared p
        left join domain_proxies dp on dp.domain_id = d.id and dp.proxy_id = p.id
       where not h."hasPool" and dp.is_active is not false
         and (d.proxy_country is null or p.country_code = d.proxy_country)
       limit $1) well) a
 where a.active < $1
 order by d.id
 limit $2
