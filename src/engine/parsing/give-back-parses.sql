-- Tasks $3 of lot $2 of parser $1, which it has not worked on, wait again.
-- Relies on: the primary key of crawl_tasks.
update crawl_tasks t
   set status = 'queued_parse', moved_by = $1, move_reason = 'given back'
 where t.id = any($3::bigint[]) and t.status = 'parsing' and t.locked_by = $1 and t.lock_version = $2
