-- The bot named $1, held against changes until the end of the transaction.
-- Relies on: the unique index of bots.
select id, bot_id as "botId", revoked_at is not null as "isRevoked" from bots where bot_id = $1 for no key update
