-- When the frontier was last counted for the charts, and how long that took; no row: not within a day.
-- Relies on: the primary key of stats_gauges.
select extract(epoch from forager_now() - minute)::float8 * 1000 as "ageMs", value as "tookMs"
  from stats_gauges
 where gauge = 'census_ms' and minute > forager_now() - interval '1 day'
 order by minute desc
 limit 1
