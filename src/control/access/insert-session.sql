-- A new session.
-- Relies on: the unique index of sessions, the primary key of users.
insert into sessions (token_hash, user_id, address, user_agent, created_at, last_seen_at, expires_at)
values ($1, $2, $3, $4, forager_now(), forager_now(), forager_now() + $5 * interval '1 second')
returning expires_at as "expiresAt"
