-- Every scheduler that is not stopped, and those that stopped within a day, the one that leads first. Silent for a
-- minute without having stopped means dead, and whoever is dead does not lead.
-- Relies on: nothing: the table is small.
select id, host, pid, program_version as "programVersion",
       case when stopped_at is not null then 'stopped'
            when heartbeat_at <= forager_now() - interval '1 minute' then 'dead'
            when leads_since is not null then 'leading'
            else 'waiting' end as state,
       case when stopped_at is null and heartbeat_at > forager_now() - interval '1 minute' then leads_since end
         as "leadsSince",
       ticks_count as ticks, last_tick_at as "lastTickAt", last_tick_ms as "lastTickMs",
       extract(epoch from forager_now() - heartbeat_at)::float8 as "heartbeatAgeSeconds",
       heartbeat_at as "heartbeatAt", started_at as "startedAt", stopped_at as "stoppedAt"
  from schedulers
 where coalesce(stopped_at, heartbeat_at) > forager_now() - interval '1 day'
 order by (stopped_at is not null), (heartbeat_at <= forager_now() - interval '1 minute'), leads_since nulls last,
          started_at, id
 limit 200
