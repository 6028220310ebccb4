-- Domains $1, which are locked, have queued tasks, the best of them of priority $2. One that had nothing left to do
-- has something now: it is woken, in the standing order.
-- Relies on: the primary key of domains.
update domains d
   set task_priority = least(d.task_priority, g.priority),
       status = case when d.status = 'exhausted' then 'pending' else d.status end,
       status_code = case when d.status = 'exhausted' then 'task_due' else d.status_code end,
       next_crawl_after = case when d.status <> 'exhausted' then d.next_crawl_after end,
       run_id = case when d.status = 'exhausted' then 0 else d.run_id end,
       updated_at = forager_now()
  from unnest($1::bigint[], $2::smallint[]) as g (id, priority)
 where d.id = g.id
   and (d.status = 'exhausted' or d.task_priority is null or d.task_priority > g.priority)
