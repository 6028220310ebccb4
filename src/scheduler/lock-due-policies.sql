-- Locks those of policies $1, whose domains are locked, that are still due.
-- Relies on: the primary key of crawl_policies.
select id from crawl_policies
 where id = any($1::bigint[]) and is_enabled and live_task_id is null and next_run_at <= forager_now()
 order by id
   for update skip locked
