-- Tasks $1 go to state $2: person $3 did it, for reason $4. One that is resumed keeps its time, also one that has passed:
-- it has the place among the others that it had before.
-- Relies on: the primary key of crawl_tasks. They are locked already.
update crawl_tasks
   set status = $2::task_status, moved_by = $3, move_reason = $4
 where id = any($1::bigint[])
