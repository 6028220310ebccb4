-- Policy $1, which is locked like its domain, is removed; its tasks stay.
-- Relies on: the primary key of crawl_policies, crawl_tasks_policy.
delete from crawl_policies where id = $1
