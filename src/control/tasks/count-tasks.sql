-- Tasks by state, created since $1, of domain $2 and batch $3 as far as these are given, and how long the completed
-- ones waited and took.
-- Relies on: crawl_tasks_domain, crawl_tasks_batch; without a domain or batch every task is looked at.
select status::text as status, count(*)::int as count,
       (avg(extract(epoch from completed_at - started_at)) filter (where status = 'completed') * 1000)::float8
         as "durationMs",
       (avg(extract(epoch from greatest(started_at - scheduled_at, interval '0')))
          filter (where status = 'completed') * 1000)::float8 as "waitMs"
  from crawl_tasks
 where ($1::timestamptz is null or created_at >= $1)
   and ($2::bigint is null or domain_id = $2)
   and ($3::bigint is null or batch_id = $3)
 group by status
