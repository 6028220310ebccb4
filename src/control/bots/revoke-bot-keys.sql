-- Ends the keys of bot $1.
-- Relies on: api_keys_bot.
update api_keys set revoked_at = forager_now() where bot_id = $1 and revoked_at is null
