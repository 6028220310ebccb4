-- What an earlier life of parser $1, which has just begun, had in its hands waits again. What five in a row did not
-- survive is left to the scheduler, which gives it up.
-- Relies on: crawl_tasks_locks.
update crawl_tasks t
   set status = 'queued_parse', moved_by = $1, move_reason = 'its parser was started anew',
       lost_count = t.lost_count + 1
 where t.status = 'parsing' and t.locked_by = $1 and t.lost_count < 4
