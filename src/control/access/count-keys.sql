-- How many keys of a user are not revoked.
-- Relies on: api_keys_user.
select count(*) as "count" from api_keys where user_id = $1 and revoked_at is null
