-- How many tasks have task $1 as their parent, counted up to 10,000.
-- Relies on: crawl_tasks_parent.
select count(*)::int as count from (select from crawl_tasks where parent_task_id = $1 limit 10000) as children
