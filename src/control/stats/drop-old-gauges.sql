-- Measurements older than 400 days go.
-- Relies on: the primary key of stats_gauges.
delete from stats_gauges where minute < forager_now() - interval '400 days'
