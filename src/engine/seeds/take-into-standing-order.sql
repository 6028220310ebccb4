-- Domains $1 were named for the standing order: out of the queue of a crawl that nobody is at work on any more.
-- Relies on: the primary keys of domains and crawl_runs.
update domains d
   set run_id = 0, yielded_at = null
  from crawl_runs r
 where d.id = any($1::bigint[]) and d.run_id <> 0 and r.id = d.run_id and d.claimed_by is null
   and (r.status <> 'running' or r.updated_at < forager_now() - interval '2 minutes')
