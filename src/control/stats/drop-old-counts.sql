-- Figures older than 400 days go. The totals keep what they counted.
-- Relies on: the primary key of stats_minutely.
delete from stats_minutely where minute < forager_now() - interval '400 days' and worker_id = ''
