-- Removes up to $2 of the minutes in which domain $1 has used proxies. Answers how many went.
-- Relies on: proxy_usage_domain.
with gone as (
  delete from proxy_usage
   where ctid = any(array(select ctid from proxy_usage where domain_id = $1 limit $2))
  returning 1
)
select count(*)::int as count from gone
