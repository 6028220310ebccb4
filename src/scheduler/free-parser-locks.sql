-- Of tasks $1, whose domains are locked: parsers that are gone lose them, and another one takes them. What five in a row
-- did not survive is given up: it would be the end of every other, too.
-- Relies on: the primary key of crawl_tasks.
with late as (
  select id from crawl_tasks
   where id = any($1::bigint[]) and status = 'parsing'
     and locked_until <= forager_now()
   order by id
     for update skip locked
)
update crawl_tasks t
   set status = (case when t.lost_count >= 4 then 'failed' else 'queued_parse' end)::task_status,
       moved_by = 'scheduler',
       move_reason = 'the lock of ' || coalesce(t.locked_by, 'its parser') || ' ran out'
                     || case when t.lost_count >= 4 then ', of the fifth parser in a row' else '' end,
       error_message = case when t.lost_count >= 4 then 'five parsers in a row were gone before it was parsed'
                            else t.error_message end,
       lost_count = t.lost_count + 1
  from late
 where t.id = late.id
returning t.id, t.domain_id as "domainId", t.priority, t.status = 'queued_parse' as "isReady"
