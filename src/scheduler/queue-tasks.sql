-- Those of tasks $1, whose domains are locked, that are still due are queued; one whose batch was paused while it was
-- being made is paused with it.
-- Relies on: the primary keys of crawl_tasks and crawl_batches.
with due as (
  select t.id, b.paused_at is not null as is_paused
    from crawl_tasks t
    left join crawl_batches b on b.id = t.batch_id
   where t.id = any($1::bigint[]) and t.status = 'pending' and not t.is_waiting
     and t.executor = 'forager' and t.scheduled_at <= forager_now()
   order by t.id
     for update of t skip locked
), moved as (
  update crawl_tasks t
     set status = (case when due.is_paused then 'paused' else 'queued' end)::task_status,
         moved_by = 'scheduler', move_reason = case when due.is_paused then 'batch paused' end
    from due
   where t.id = due.id
  returning t.id, t.domain_id as "domainId", t.priority, due.is_paused
)
select id, "domainId", priority from moved where not is_paused
