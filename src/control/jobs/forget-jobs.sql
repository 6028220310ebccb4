-- Jobs that have been over for thirty days.
-- Relies on: nothing: it reads the table once an hour.
delete from jobs where finished_at < forager_now() - interval '30 days'
