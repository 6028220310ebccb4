-- Alerts that have been over for 400 days go.
-- Relies on: nothing: reads the table, once an hour.
delete from alerts where resolved_at < forager_now() - interval '400 days'
