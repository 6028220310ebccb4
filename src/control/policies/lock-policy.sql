-- Policy $1, held against changes until the end of the transaction.
-- Relies on: the primary key of crawl_policies.
select id, domain_id as "domainId", url, is_enabled as "isEnabled", live_task_id as "liveTaskId"
  from crawl_policies where id = $1 for update
