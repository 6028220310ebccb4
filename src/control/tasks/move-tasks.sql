-- Tasks $1 go to state $2: person $3 did it, for reason $4. One that is resumed keeps a time that lies ahead.
-- Relies on: the primary key of crawl_tasks. They are locked already.
update crawl_tasks
   set status = $2::task_status, moved_by = $3, move_reason = $4,
       scheduled_at = case when $2::task_status = 'pending' then greatest(scheduled_at, forager_now())
                           else scheduled_at end
 where id = any($1::bigint[])
