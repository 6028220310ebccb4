-- Deletes a user; sessions and keys go with the row.
-- Relies on: the primary key of users, sessions_user, api_keys_user.
delete from users where id = $1
