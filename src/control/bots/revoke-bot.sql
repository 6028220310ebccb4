-- Ends bot $1 with its keys; no row: it was ended before.
-- Relies on: the unique index of bots, api_keys_bot.
with ended as (
  update bots set revoked_at = forager_now(), updated_at = forager_now()
   where bot_id = $1 and revoked_at is null
  returning id
), keys as (
  update api_keys k set revoked_at = forager_now() from ended e where k.bot_id = e.id and k.revoked_at is null
)
select id from ended
