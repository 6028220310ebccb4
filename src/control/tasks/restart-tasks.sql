-- Tasks $1 begin anew in state $2 (pending, or queued_parse: only parsing): person $3 did it, for reason $4. With $5
-- all their attempts are before them again; $6 is their new priority and $7 their time, if any was given.
-- Relies on: the primary key of crawl_tasks. They are locked already.
update crawl_tasks
   set status = $2::task_status, moved_by = $3, move_reason = $4, error_message = null,
       retry_count = case when $5 then 0 else retry_count end,
       priority = coalesce($6::smallint, priority),
       scheduled_at = coalesce($7::timestamptz, forager_now())
 where id = any($1::bigint[])
