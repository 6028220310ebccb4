-- Whose session this is, as long as it lasts.
-- Relies on: the unique index of sessions (token_hash), the primary key of users.
select s.id as "sessionId", u.id as "userId", u.username, u.role, u.password_expires_at as "passwordExpiresAt"
  from sessions s join users u on u.id = s.user_id
 where s.token_hash = $1 and s.expires_at > forager_now() and u.is_enabled
