-- The number of the result of task $1.
-- Relies on: crawl_results_task_id_key.
select id from crawl_results where task_id = $1
