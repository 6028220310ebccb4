-- Puts domains of run $1 that are in another queue into its own: those of the standing order, and those of runs
-- that nobody is at work on any more.
-- Relies on: the primary keys of crawl_run_domains, domains and crawl_runs; reads every domain of the run.
update domains d
   set run_id = $1
  from crawl_run_domains m, crawl_runs r
 where m.run_id = $1 and d.id = m.domain_id and d.run_id <> $1 and r.id = d.run_id
   and (r.id = 0 or (d.claimed_by is null
                     and (r.status <> 'running' or r.updated_at < forager_now() - interval '2 minutes')))
