-- Where proxy $1 is out for its failures with a domain, it is tried again there at once. Whoever holds a pair at this
-- moment writes what he has seen of it: nobody is waited for.
-- Relies on: domain_proxies_proxy.
update domain_proxies dp
   set retry_at = forager_now(), updated_at = forager_now()
 where (dp.domain_id, dp.proxy_id) in (
   select h.domain_id, h.proxy_id from domain_proxies h
    where h.proxy_id = $1 and h.disabled_by = 'failures' and h.retry_at > forager_now()
      for no key update skip locked)
