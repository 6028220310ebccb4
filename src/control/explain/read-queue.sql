-- The queue domain $1 is in, what it has had of it, and how many workers take from it. A worker silent for two
-- minutes counts as dead.
-- Relies on: the primary keys of domains, crawl_runs and crawl_run_domains, workers_heartbeat.
select d.run_id as run, r.status::text as "runStatus", r.max_pages as "runMaxPages",
       r.max_pages_per_domain as "runMaxPagesPerDomain",
       coalesce(m.pages_count, 0) as "pagesOfRun", m.pages_allowed as "pagesAllowed",
       (select count(*)::int from workers w
         where w.run_id = d.run_id and w.state = 'running'
           and w.heartbeat_at > forager_now() - interval '2 minutes') as workers
  from domains d
  join crawl_runs r on r.id = d.run_id
  left join crawl_run_domains m on m.run_id = d.run_id and m.domain_id = d.id
 where d.id = $1
