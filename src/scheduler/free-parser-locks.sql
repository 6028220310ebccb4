-- Of tasks $1, whose domains are locked: parsers that are gone lose them, and another one takes them.
-- Relies on: the primary key of crawl_tasks.
with late as (
  select id from crawl_tasks
   where id = any($1::bigint[]) and status = 'parsing'
     and locked_until <= forager_now()
   order by id
     for update skip locked
)
update crawl_tasks t
   set status = 'queued_parse', moved_by = 'scheduler',
       move_reason = 'the lock of ' || coalesce(t.locked_by, 'its parser') || ' ran out'
  from late
 where t.id = late.id
returning t.id, t.domain_id as "domainId", t.priority
