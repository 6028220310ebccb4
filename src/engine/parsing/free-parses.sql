-- What parsers that are gone have left behind waits again, up to $2 of it: parser $1 says so. Costs no retry.
-- What five of them in a row did not survive is left to the scheduler, which gives it up.
-- Relies on: crawl_tasks_locks, the primary key of crawl_tasks.
with late as (
  select t.id from crawl_tasks t
   where t.status = 'parsing' and t.locked_until <= forager_now() and t.lost_count < 4
   order by t.locked_until
   limit $2
     for update of t skip locked
)
update crawl_tasks t
   set status = 'queued_parse', moved_by = $1, lost_count = t.lost_count + 1,
       move_reason = 'the lock of ' || coalesce(t.locked_by, 'its parser') || ' ran out'
  from late l
 where t.id = l.id
