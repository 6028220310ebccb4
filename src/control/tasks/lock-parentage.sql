-- Nobody else changes the parent of a task before the end of the transaction.
-- Relies on: nothing.
select pg_advisory_xact_lock(hashtextextended('forager task parents', 0))
