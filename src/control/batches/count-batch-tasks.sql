-- Tasks of batch $1 by state.
-- Relies on: crawl_tasks_batch.
select status::text as status, count(*)::int as count from crawl_tasks where batch_id = $1 group by status
