-- How many domains living workers on run $1 other than $2 could take and cannot find.
-- Relies on: workers_heartbeat.
select coalesce(sum(wanted_count), 0)::int as wanted
  from workers
 where run_id = $1 and id <> $2 and state = 'running' and wanted_count > 0
   and heartbeat_at > forager_now() - $3::int * interval '1 second'
