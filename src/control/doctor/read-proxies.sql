-- How many proxies there are in which state, the hosts of up to a thousand that are active, and who is without one:
-- domains that wait, and domains that must have one where nobody has any for them. Counted up to 10,000.
-- Proxies are few; domains that insist are looked for among all of them.
-- Relies on: domains_without_proxy, domain_proxies_assigned.
select (select count(*)::int from proxies) as "proxies",
       (select count(*)::int from proxies where is_active) as "active",
       (select count(*)::int from proxies where not is_active and disabled_by = 'failures') as "out",
       (select count(*)::int from proxies where not is_active and disabled_by <> 'failures') as "disabled",
       array(select distinct proxy_url from (select proxy_url from proxies where is_active limit 1000) as a) as hosts,
       (select count(*)::int
          from (select from domains
                 where block_reason_code = 'no_proxy' and status in ('pending', 'active') and is_active
                   and claimed_by is null and next_crawl_after > forager_now()
                 limit 10000) as waiting) as "waiting",
       (select count(*)::int
          from (select from domains d
                 where d.proxy_mode = 'required' and d.is_active
                   and not exists (select from proxies where is_shared)
                   and not exists (select from domain_proxies p where p.domain_id = d.id and p.is_assigned)
                 limit 10000) as lonely) as "lonely"
