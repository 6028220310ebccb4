-- Parser $1 keeps tasks $3 of its lot $2 for another $4 milliseconds. Answers which of them it still has.
-- Relies on: the primary key of crawl_tasks.
update crawl_tasks t
   set locked_until = forager_now() + $4::float8 * interval '1 millisecond'
 where t.id = any($3::bigint[]) and t.status = 'parsing' and t.locked_by = $1 and t.lock_version = $2
returning t.id
