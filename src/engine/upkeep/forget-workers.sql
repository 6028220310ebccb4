-- Workers that were last heard of a week ago leave the register.
-- Relies on: nothing: reads the register.
delete from workers where heartbeat_at < forager_now() - interval '7 days'
