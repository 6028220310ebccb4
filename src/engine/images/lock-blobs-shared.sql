-- As long as this transaction lasts nobody removes images: what is in the blob store stays there until the rows that
-- name it are written. (Whoever removes takes the same lock for itself: control/images/lock-blobs.sql.)
-- Relies on: nothing.
select pg_advisory_xact_lock_shared(hashtextextended('forager images', 0))
