-- Who is at work, what is wrong, and how far this minute has come.
-- Relies on: workers_heartbeat, alerts_one_open.
select (select count(*)::int from workers
         where state <> 'stopped' and heartbeat_at > forager_now() - interval '2 minutes') as workers,
       (select coalesce(sum(in_flight_count), 0)::int from workers
         where state <> 'stopped' and heartbeat_at > forager_now() - interval '2 minutes') as "inFlight",
       (select count(*)::int from alerts where resolved_at is null and severity = 'warning') as warnings,
       (select count(*)::int from alerts where resolved_at is null and severity = 'critical') as criticals,
       extract(second from forager_now())::float8 as "secondsIntoMinute"
