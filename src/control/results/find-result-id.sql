-- The number of the result of task $1.
-- Relies on: the unique index of crawl_results.
select id from crawl_results where task_id = $1
