-- Whose key this is, and whether its use is worth noting. A person who is only a user now has no administrator's keys
-- any more. The key of a bot that was revoked is found: it is told why it is refused.
-- Relies on: the unique index of api_keys, the primary keys of users and bots.
select k.id as "keyId", k.name, case when u.role = 'user' then 'user' else k.role end as role, k.scopes,
       u.id as "userId", u.username, k.expires_at as "expiresAt",
       k.last_used_at is null or k.last_used_at < forager_now() - interval '1 minute' as "isUnnoted",
       case when b.id is not null
            then json_build_object('id', b.id, 'botId', b.bot_id, 'domains', b.domains) end as bot,
       b.revoked_at is not null as "isBotRevoked"
  from api_keys k left join users u on u.id = k.user_id left join bots b on b.id = k.bot_id
 where k.key_hash = $1 and (k.revoked_at is null or b.revoked_at is not null)
   and (k.expires_at is null or k.expires_at > forager_now())
   and (k.user_id is null or u.is_enabled)
