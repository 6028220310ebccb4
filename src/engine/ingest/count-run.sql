-- The run's own counters.
-- Relies on: the primary key of crawl_runs.
update crawl_runs
   set pages_count = pages_count + $2, fetches_count = fetches_count + $3, errors_count = errors_count + $4,
       bytes_count = bytes_count + $5, active_ms = active_ms + $6, updated_at = forager_now()
 where id = $1
