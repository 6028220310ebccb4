-- Of tasks $1, whose domains are locked: bots that did not hand in anything in time lose them. Each costs a retry;
-- the last one is over.
-- Relies on: the primary key of crawl_tasks.
with late as (
  select id from crawl_tasks
   where id = any($1::bigint[]) and status = 'locked'
     and locked_until <= forager_now()
   order by id
     for update skip locked
)
update crawl_tasks t
   set status = case when t.retry_count < t.max_retries then 'pending' else 'expired' end::task_status,
       retry_count = t.retry_count + case when t.retry_count < t.max_retries then 1 else 0 end,
       scheduled_at = case when t.retry_count < t.max_retries then forager_now() else t.scheduled_at end,
       error_message = 'the lock of ' || coalesce(t.locked_by, 'its bot') || ' ran out',
       moved_by = 'scheduler', move_reason = 'the lock of ' || coalesce(t.locked_by, 'its bot') || ' ran out'
  from late
 where t.id = late.id
returning t.id, t.domain_id as "domainId", t.priority
