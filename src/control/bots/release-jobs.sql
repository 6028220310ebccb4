-- Of jobs $1 those that are held, by bot $5 and under locks $6 where they are named, go to state $2: $3 did it, for reason $4. It costs no
-- retry. They are locked already, with their domains and policies.
-- Relies on: the primary key of crawl_tasks.
update crawl_tasks
   set status = $2::task_status, moved_by = $3, move_reason = $4,
       error_message = case when $2::text = 'expired' then $4 else error_message end,
       scheduled_at = case when $2::text = 'pending' then forager_now() else scheduled_at end
 where id = any($1::bigint[]) and status = 'locked' and ($5::text is null or locked_by = $5)
   and ($6::bigint[] is null or lock_version = any($6))
