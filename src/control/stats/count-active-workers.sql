-- Workers that have been heard of within two minutes and have not stopped.
-- Relies on: workers_heartbeat.
select count(*)::int as active from workers
 where state <> 'stopped' and heartbeat_at > forager_now() - interval '2 minutes'
