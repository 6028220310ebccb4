-- Failed tasks with a number below $1, the newest first: of domain $2 and batch $3, failed since $4, as far as these
-- are given.
-- Relies on: crawl_tasks_status, crawl_tasks_domain, crawl_tasks_batch.
select id
  from crawl_tasks
 where status = 'failed'
   and ($1::bigint is null or id < $1)
   and ($2::bigint is null or domain_id = $2)
   and ($3::bigint is null or batch_id = $3)
   and ($4::timestamptz is null or completed_at >= $4)
 order by id desc
 limit $5
