-- The size of the frontier as it was measured within the last half hour, oldest first.
-- Relies on: the primary key of stats_gauges.
select extract(epoch from minute)::float8 / 60 as "atMinute", value as size,
       extract(epoch from forager_now() - minute)::float8 / 60 as "ageMinutes"
  from stats_gauges
 where gauge = 'frontier' and minute > forager_now() - interval '30 minutes'
 order by minute
