-- Revokes a key.
-- Relies on: the primary key of api_keys.
update api_keys set revoked_at = forager_now() where id = $1
