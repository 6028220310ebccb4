-- Key $2 of owner $1 becomes whoever's asks, for the request with fingerprint $3, locked for $4 milliseconds. One
-- that is as old as keys are kept counts as new; so does one of the same request whose lock has run out unanswered.
-- No row: somebody else has it.
-- Relies on: the primary key of idempotency_keys.
insert into idempotency_keys as k (owner, key, fingerprint, locked_until, created_at)
values ($1, $2, $3, forager_now() + $4::float8 * interval '1 millisecond', forager_now())
on conflict (owner, key) do update
   set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, created_at = excluded.created_at,
       status = null, body = null, location = null
 where k.created_at <= forager_now() - interval '24 hours'
    or (k.status is null and k.locked_until <= forager_now() and k.fingerprint = excluded.fingerprint)
returning k.locked_until::text as lock
