-- What an earlier life of parser $1, which has just begun, had in its hands waits again.
-- Relies on: crawl_tasks_locks.
update crawl_tasks t
   set status = 'queued_parse', moved_by = $1, move_reason = 'its parser was started anew'
 where t.status = 'parsing' and t.locked_by = $1
