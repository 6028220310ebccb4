-- Of the next $4 pairs of a domain and a proxy after domain $1 and proxy $2, those go that are nobody's decision, are
-- not out, and were not used for $3 days: what the domain has seen of a shared proxy is worth nothing any more.
-- Answers where the look ended (nulls: there are no more) and how many went.
-- Relies on: the primary key of domain_proxies.
with looked as materialized (
  select domain_id, proxy_id,
         not is_assigned and is_active and max_requests_per_hour is null
           and coalesce(last_used_at, created_at) < forager_now() - $3::int * interval '1 day' as is_idle
    from domain_proxies
   where (domain_id, proxy_id) > ($1::bigint, $2::bigint)
   order by domain_id, proxy_id
   limit $4
), gone as (
  delete from domain_proxies p using looked l
   where l.is_idle and p.domain_id = l.domain_id and p.proxy_id = l.proxy_id
     and coalesce(p.last_used_at, p.created_at) < forager_now() - $3::int * interval '1 day' and not p.is_assigned
     and p.is_active and p.max_requests_per_hour is null
  returning 1
), last as (
  select domain_id, proxy_id from looked order by domain_id desc, proxy_id desc limit 1
)
select (select domain_id from last where (select count(*) from looked) = $4) as "domainId",
       (select proxy_id from last where (select count(*) from looked) = $4) as "proxyId",
       (select count(*)::int from gone) as count
