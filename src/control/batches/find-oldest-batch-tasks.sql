-- Tasks of batch $1 in one of the states $2 with a number above $3, the oldest first; where $4 is given only those that
-- are in it for that reason.
-- Relies on: crawl_tasks_batch.
select id
  from crawl_tasks
 where batch_id = $1 and status = any($2::task_status[])
   and ($3::bigint is null or id > $3)
   and ($4::text is null or move_reason = $4)
 order by id
 limit $5
