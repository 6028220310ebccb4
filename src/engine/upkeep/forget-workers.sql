-- Workers that were last heard of a week ago leave the register, and tallies go with them.
-- Relies on: nothing: reads the register.
with forgotten as (
  delete from workers where heartbeat_at < forager_now() - interval '7 days' returning id
)
delete from worker_tallies t using forgotten f where t.worker_id = f.id
