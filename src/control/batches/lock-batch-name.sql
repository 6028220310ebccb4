-- Nobody else makes a batch of the name $1 before the end of the transaction.
-- Relies on: nothing.
select pg_advisory_xact_lock(hashtextextended('forager batch ' || $1, 0))
