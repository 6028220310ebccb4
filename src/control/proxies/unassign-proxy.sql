-- Proxy $2 is no longer in the pool of domain $1; what was seen of it stays.
-- Relies on: the primary key of domain_proxies.
update domain_proxies
   set is_assigned = false, updated_at = forager_now()
 where domain_id = $1 and proxy_id = $2 and is_assigned
