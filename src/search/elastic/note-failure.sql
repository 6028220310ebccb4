-- The search server has not, because of $1.
-- Relies on: nothing.
update search_targets set failed_at = forager_now(), failure = $1
