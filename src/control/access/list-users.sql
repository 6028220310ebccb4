-- Users by name, after a given one.
-- Relies on: the unique index of users.
select username, role, is_enabled as "isEnabled", password_expires_at is not null as "mustChangePassword",
       password_expires_at as "passwordExpiresAt", created_at as "createdAt", updated_at as "updatedAt",
       last_login_at as "lastLoginAt"
  from users
 where $1::text is null or username > $1
 order by username
 limit $2
