-- Revokes all keys of a user.
-- Relies on: api_keys_user.
update api_keys set revoked_at = forager_now() where user_id = $1 and revoked_at is null
