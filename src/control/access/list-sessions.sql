-- The sessions of a user that have not ended, the newest first, after the one with a given id.
-- Relies on: sessions_user.
select id, address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt",
       expires_at as "expiresAt"
  from sessions
 where user_id = $1 and expires_at > forager_now() and ($2::bigint is null or id < $2)
 order by id desc
 limit $3
