-- A user, held until the end of the transaction.
-- Relies on: the unique index of users.
select id, role, is_enabled as "isEnabled" from users where username = $1 for update
