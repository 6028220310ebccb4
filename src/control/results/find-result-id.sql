-- The number of the result of task $1.
-- Relies on: the unique index on task_id.
select id from crawl_results where task_id = $1
