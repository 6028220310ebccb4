-- Tasks of batch $1 by state, counting at most $2 of them (all: null).
-- Relies on: crawl_tasks_batch.
select status::text as status, count(*)::int as count
  from (select status from crawl_tasks where batch_id = $1 limit $2::bigint) as t
 group by status
