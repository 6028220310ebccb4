-- Key $2 of owner $1, held under lock $3, is answered with status $4, body $5 and location $6. Nothing, if the lock has
-- run out and somebody else has the key by now.
-- Relies on: the primary key of idempotency_keys.
update idempotency_keys
   set status = $4, body = $5, location = $6
 where owner = $1 and key = $2 and locked_until = $3::timestamptz and status is null
