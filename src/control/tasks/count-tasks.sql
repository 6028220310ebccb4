-- Tasks by state, created since $1, of domain $2 and batch $3 as far as these are given, and how long the completed
-- ones waited and took. Looks at the $4 newest along one index (walk-index.ts puts in which), and tells how many it has
-- looked at.
-- Relies on: the primary key of crawl_tasks, crawl_tasks_domain, crawl_tasks_batch.
select status::text as status, count(*)::int as looked, (count(*) filter (where fits))::int as count,
       (avg(extract(epoch from completed_at - started_at)) filter (where fits and status = 'completed') * 1000)::float8
         as "durationMs",
       (avg(extract(epoch from greatest(started_at - scheduled_at, interval '0')))
          filter (where fits and status = 'completed') * 1000)::float8 as "waitMs"
  from (
    select status, completed_at, started_at, scheduled_at,
           ($1::timestamptz is null or created_at >= $1)
             and ($2::bigint is null or domain_id = $2)
             and ($3::bigint is null or batch_id = $3) as fits
      from crawl_tasks
     where /* walk */ true
     order by /* walk */ id desc
     limit $4
  ) as t
 group by status
