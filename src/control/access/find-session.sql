-- Whose session this is, as long as it lasts, and whether its use is worth noting.
-- Relies on: the unique index of sessions, the primary key of users.
select s.id as "sessionId", u.id as "userId", u.username, u.role, u.password_expires_at as "passwordExpiresAt",
       s.expires_at as "expiresAt", s.last_seen_at < forager_now() - interval '1 minute' as "isUnnoted"
  from sessions s join users u on u.id = s.user_id
 where s.token_hash = $1 and s.expires_at > forager_now() and u.is_enabled
