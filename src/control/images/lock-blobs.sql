-- As long as this transaction lasts no worker writes rows of images: what none of them names can be removed.
-- (Workers share the same lock: engine/images/lock-blobs-shared.sql.)
-- Relies on: nothing.
select pg_advisory_xact_lock(hashtextextended('forager images', 0))
