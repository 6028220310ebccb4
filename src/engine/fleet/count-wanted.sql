-- Living workers on run $1 other than $2 that could take more domains and cannot find any: how many workers, how
-- many domains they could take, and how many they have.
-- Relies on: workers_heartbeat.
select count(*)::int as workers, coalesce(sum(wanted_count), 0)::int as wanted,
       coalesce(sum(domains_count), 0)::int as held
  from workers
 where run_id = $1 and id <> $2 and state = 'running' and wanted_count > 0
   and heartbeat_at > forager_now() - $3::int * interval '1 second'
