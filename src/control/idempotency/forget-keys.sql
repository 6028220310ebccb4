-- Keys that are older than a day.
-- Relies on: idempotency_keys_age.
delete from idempotency_keys where created_at <= forager_now() - interval '24 hours'
