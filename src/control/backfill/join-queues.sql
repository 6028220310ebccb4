-- Domains $1 are queued where they would be had they never been away: in their latest run that is not finished,
-- else in the standing order.
-- Relies on: crawl_run_domains_domain, the primary keys of crawl_runs and domains.
update domains d
   set run_id = q.run_id, last_crawl_run_id = coalesce(d.last_crawl_run_id, q.last_run_id)
  from (select m.domain_id, max(m.run_id) as last_run_id,
               coalesce(max(m.run_id) filter (where r.finished_at is null), 0) as run_id
          from crawl_run_domains m join crawl_runs r on r.id = m.run_id
         where m.domain_id = any($1::bigint[])
         group by m.domain_id) as q
 where d.id = q.domain_id
