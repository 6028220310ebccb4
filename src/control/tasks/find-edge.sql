-- Where a look at $2 tasks behind task $1 ends, along one index (walk-index.ts puts in which, for the value $3): the
-- number of the last of them, or none if there are fewer.
-- Relies on: the same indexes as list-tasks.sql.
select id
  from crawl_tasks
 where /* walk */ ($1::bigint is null or id < $1)
 order by /* walk */ id desc
offset $2::bigint - 1
 limit 1
