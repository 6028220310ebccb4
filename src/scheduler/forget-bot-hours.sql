-- Up to $2 hours of the figures of bots that are older than $1 days go.
-- Relies on: bot_hours_hour, the primary key of bot_hours.
with old as (
  select bot_id, hour from bot_hours
   where hour < forager_now() - $1::int * interval '1 day'
   order by hour
   limit $2
     for update skip locked
)
delete from bot_hours h using old where h.bot_id = old.bot_id and h.hour = old.hour
