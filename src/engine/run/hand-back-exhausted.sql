-- Nobody goes on with run $1 for now (null: with any run that was silent for an hour): its domains with nothing left
-- to do belong to the standing order, which reads their pages again in time. A run that goes on takes them back.
-- Relies on: domains_of_run.
update domains d
   set run_id = 0
  from crawl_runs r
 where d.run_id <> 0 and r.id = d.run_id and d.status = 'exhausted' and d.claimed_by is null
   and case when $1::bigint is null then r.updated_at < forager_now() - interval '1 hour' else r.id = $1 end
