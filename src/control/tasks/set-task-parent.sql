-- Task $1 has parent $2, and waits for it or not ($3).
-- Relies on: the primary key of crawl_tasks. Both are locked already.
update crawl_tasks set parent_task_id = $2, is_waiting = $3 where id = $1
