-- Those of tasks $1, whose domains are locked, that are still due are queued.
-- Relies on: the primary key of crawl_tasks.
with due as (
  select id from crawl_tasks
   where id = any($1::bigint[]) and status = 'pending' and not is_waiting
     and executor = 'forager' and scheduled_at <= forager_now()
   order by id
     for update skip locked
)
update crawl_tasks t
   set status = 'queued', moved_by = 'scheduler', move_reason = null
  from due
 where t.id = due.id
returning t.id, t.domain_id as "domainId", t.priority
