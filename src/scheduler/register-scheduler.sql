-- Scheduler $1 is there: on host $2 as process $3, program $4.
-- Relies on: the primary key of schedulers.
insert into schedulers (id, host, pid, program_version, started_at, heartbeat_at)
values ($1, $2, $3, $4, forager_now(), forager_now())
on conflict (id) do update set heartbeat_at = forager_now(), stopped_at = null, leads_since = null
