-- The last 24 hours of bot $1, also those in which it did nothing, the current one last.
-- Relies on: the primary key of bot_hours.
select g.hour, coalesce(h.pulls_count, 0) as "pullsCount", coalesce(h.jobs_count, 0) as "jobsCount",
       coalesce(h.success_count, 0) as "successCount", coalesce(h.failures_count, 0) as "failuresCount",
       coalesce(h.expired_count, 0) as "expiredCount",
       (h.work_ms / nullif(h.success_count + h.failures_count, 0))::float8 as "meanWorkMs"
  from generate_series(date_trunc('hour', forager_now()) - interval '23 hours', date_trunc('hour', forager_now()),
                       interval '1 hour') as g (hour)
  left join bot_hours h on h.bot_id = $1 and h.hour = g.hour
 order by g.hour
