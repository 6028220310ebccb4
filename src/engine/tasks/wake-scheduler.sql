-- Tells the scheduler that there may be something for it to do.
-- Relies on: nothing.
select pg_notify('forager_schedule', '')
