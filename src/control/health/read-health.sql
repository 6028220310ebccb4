-- That the database answers, and what else there is to know about the state of the whole.
-- Relies on: workers_heartbeat, jobs_unfinished.
select (select max(version) from schema_migrations) as "schemaVersion",
       (select count(*)::int from workers
         where state <> 'stopped' and heartbeat_at > forager_now() - interval '2 minutes') as workers,
       (select count(*)::int from jobs where finished_at is null and state = 'queued') as "jobsQueued",
       (select count(*)::int from jobs where finished_at is null and state = 'running') as "jobsRunning"
