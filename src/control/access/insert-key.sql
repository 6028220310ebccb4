-- A new key, of bot $9 where one is named.
-- Relies on: the unique index of api_keys, the primary key of users.
with k as (
  insert into api_keys (key_hash, prefix, name, user_id, role, scopes, created_by, created_at, expires_at,
                        bot_id)
  values ($1, $2, $3, $4, $5, $6, $7, forager_now(), $8, $9)
  returning *
)
select k.id, k.name, k.prefix, u.username, k.role, k.scopes,
       k.revoked_at is null and (k.expires_at is null or k.expires_at > forager_now()) as "isActive",
       k.created_by as "createdBy", k.created_at as "createdAt", k.expires_at as "expiresAt",
       k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"
  from k left join users u on u.id = k.user_id
