-- Scheduler $1 lives, and leads where $2; it has done $3 ticks more, the last of which took $4 milliseconds (null:
-- none); where $5 it stops. Whoever leads is the only one.
-- Relies on: the primary key of schedulers; the table is small.
with others as (
  update schedulers set leads_since = null where $2 and id <> $1 and leads_since is not null
)
update schedulers
   set heartbeat_at = forager_now(),
       leads_since = case when $2::boolean then coalesce(leads_since, forager_now()) end,
       ticks_count = ticks_count + $3::int,
       last_tick_at = case when $3 > 0 then forager_now() else last_tick_at end,
       last_tick_ms = coalesce($4::int, last_tick_ms),
       stopped_at = case when $5::boolean then forager_now() end
 where id = $1
returning id
