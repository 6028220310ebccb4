-- Whose key this is, and whether its use is worth noting. A person who is only a user now has no administrator's keys
-- any more.
-- Relies on: the unique index of api_keys, the primary key of users.
select k.id as "keyId", k.name, case when u.role = 'user' then 'user' else k.role end as role, k.scopes,
       u.id as "userId", u.username, k.expires_at as "expiresAt",
       k.last_used_at is null or k.last_used_at < forager_now() - interval '1 minute' as "isUnnoted"
  from api_keys k left join users u on u.id = k.user_id
 where k.key_hash = $1 and k.revoked_at is null
   and (k.expires_at is null or k.expires_at > forager_now())
   and (k.user_id is null or u.is_enabled)
