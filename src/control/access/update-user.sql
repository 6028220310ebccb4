-- Gives a user another role, or switches the account off or on.
-- Relies on: the unique index of users.
update users set role = $2, is_enabled = $3, updated_at = forager_now()
 where username = $1
returning username, role, is_enabled as "isEnabled", password_expires_at is not null as "mustChangePassword",
       password_expires_at as "passwordExpiresAt", created_at as "createdAt", updated_at as "updatedAt",
       last_login_at as "lastLoginAt"
