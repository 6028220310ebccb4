-- Run $1 ends or pauses; an interrupted one stays unfinished, so that the same command finds it again.
-- Relies on: the primary key of crawl_runs.
update crawl_runs
   set status = $2::run_status, end_reason = $3, updated_at = forager_now(),
       finished_at = case when $2::run_status = 'finished' then forager_now() end
 where id = $1 and finished_at is null
