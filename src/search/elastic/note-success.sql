-- The search server has taken something.
-- Relies on: nothing.
update search_targets set succeeded_at = forager_now(), failed_at = null, failure = null
