-- A user, held until the end of the transaction.
-- Relies on: users_username_key.
select id, role, is_enabled as "isEnabled" from users where username = $1 for update
