-- How many tasks have task $1 as their parent.
-- Relies on: crawl_tasks_parent.
select count(*)::int as count from crawl_tasks where parent_task_id = $1
