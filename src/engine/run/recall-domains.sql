-- The new run $1 comes back to the domains of the last run of the same command: what was found there may be due
-- again, and pages that have not changed do not lead there a second time. Domains that refuse us or cannot be
-- reached are left to their cooldowns.
-- Relies on: the primary keys of crawl_run_domains and domains; reads every run.
insert into crawl_run_domains (run_id, domain_id, is_seed)
select $1, m.domain_id, m.is_seed
  from crawl_run_domains m
  join domains d on d.id = m.domain_id
 where m.run_id = (select max(r.id) from crawl_runs r
                    where r.id < $1 and r.crawl_key = (select own.crawl_key from crawl_runs own where own.id = $1))
   and d.status not in ('blocked', 'unreachable')
 order by m.domain_id
on conflict (run_id, domain_id) do nothing
