-- Task $1, which is pending, may run from $2 on; null: now.
-- Relies on: the primary key of crawl_tasks. It is locked already.
update crawl_tasks set scheduled_at = coalesce($2::timestamptz, forager_now()) where id = $1
