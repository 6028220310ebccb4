-- The login of somebody whose password was right a moment ago, and still is: whoever changes it, or switches the
-- account off, either waits for this row or has been quicker.
-- Relies on: the primary key of users.
update users
   set last_login_at = forager_now(), password_hash = coalesce($3, password_hash)
 where id = $1 and password_hash = $2 and is_enabled
   and (password_expires_at is null or password_expires_at > forager_now())
returning role, password_expires_at as "passwordExpiresAt"
