-- Up to $2 minutes of the use of proxies that are older than $1 hours go. Rates and figures look back over one.
-- Relies on: proxy_usage_minute, the primary key of proxy_usage.
with old as (
  select proxy_id, minute, domain_id from proxy_usage
   where minute < forager_now() - $1::int * interval '1 hour'
   order by minute
   limit $2
     for update skip locked
)
delete from proxy_usage u using old
 where u.proxy_id = old.proxy_id and u.minute = old.minute and u.domain_id = old.domain_id
