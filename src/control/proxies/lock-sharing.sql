-- Nobody else takes a shared proxy away before the end of the transaction.
-- Relies on: nothing.
select pg_advisory_xact_lock(hashtextextended('forager shared proxies', 0))
