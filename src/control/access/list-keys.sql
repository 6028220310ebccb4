-- Keys, the newest first, after the one with a given id: of one user, of a role, of those that work or do not.
-- Relies on: the primary key of api_keys, api_keys_user, the unique index of users.
select k.id, k.name, k.prefix, u.username, k.role, k.scopes,
       k.revoked_at is null and (k.expires_at is null or k.expires_at > forager_now()) as "isActive",
       k.created_by as "createdBy", k.created_at as "createdAt", k.expires_at as "expiresAt",
       k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"
  from api_keys k left join users u on u.id = k.user_id
 where ($1::bigint is null or k.id < $1)
   and ($2::text is null or k.user_id = (select id from users where username = $2))
   and ($3::text is null or k.role = $3)
   and ($4::boolean is null
        or (k.revoked_at is null and (k.expires_at is null or k.expires_at > forager_now())) = $4)
 order by k.id desc
 limit $5
