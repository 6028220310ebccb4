-- What a login is checked against.
-- Relies on: the unique index of users.
select id, username, role, password_hash as "passwordHash", password_expires_at as "passwordExpiresAt",
       is_enabled and (password_expires_at is null or password_expires_at > forager_now()) as "mayLogIn"
  from users
 where username = $1
