-- The bot of key $1 as it is now, and whether the key still works.
-- Relies on: the primary keys of api_keys and bots.
select b.id, b.bot_id as "botId", b.domains, b.revoked_at is not null as "isRevoked",
       k.revoked_at is not null or coalesce(k.expires_at <= forager_now(), false) as "isKeyOver"
  from api_keys k join bots b on b.id = k.bot_id
 where k.id = $1
