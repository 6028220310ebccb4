-- What is known of key $2 of owner $1.
-- Relies on: the primary key of idempotency_keys.
select fingerprint, status, body, location from idempotency_keys where owner = $1 and key = $2
