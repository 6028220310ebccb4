-- How far runner $2 is with job $1 ($3 of $4; null: as it was), and that it is still at it for $5 milliseconds.
-- No row: it is not its job any more.
-- Relies on: the primary key of jobs.
update jobs
   set done_count = coalesce($3::bigint, done_count), total_count = coalesce($4::bigint, total_count),
       runner_until = forager_now() + $5::float8 * interval '1 millisecond',
       updated_at = case when $3::bigint is null then updated_at else forager_now() end
 where id = $1 and runner = $2 and state = 'running'
returning is_cancel_requested as "isCancelRequested"
