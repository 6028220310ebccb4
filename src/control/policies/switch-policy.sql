-- Policy $1, which is locked, is enabled where $2, else disabled.
-- Relies on: the primary key of crawl_policies.
update crawl_policies set is_enabled = $2, updated_at = forager_now() where id = $1
