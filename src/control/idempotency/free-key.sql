-- Key $2 of owner $1, held under lock $3, was used for nothing.
-- Relies on: the primary key of idempotency_keys.
delete from idempotency_keys
 where owner = $1 and key = $2 and locked_until = $3::timestamptz and status is null
