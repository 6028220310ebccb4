-- Makes domains $2 part of run $1 (where $3, as one a person named, or that one they named has moved to) and
-- puts those that nobody else is at work on into its queue.
-- Relies on: the primary keys of domains and crawl_run_domains.
with queued as (
  update domains d set run_id = $1
   where d.id = any($2::bigint[]) and d.run_id = 0
     -- A run that is over is nobody's to work on.
     and exists (select from crawl_runs r where r.id = $1 and r.finished_at is null)
)
insert into crawl_run_domains (run_id, domain_id, is_seed)
select $1, v.id, v.is_seed from unnest($2::bigint[], $3::boolean[]) as v (id, is_seed) order by v.id
on conflict (run_id, domain_id) do update set is_seed = true
 where excluded.is_seed and not crawl_run_domains.is_seed
