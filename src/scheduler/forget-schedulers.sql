-- Schedulers that were last heard of a week ago go.
-- Relies on: nothing: the table is small.
delete from schedulers where heartbeat_at < forager_now() - interval '7 days'
