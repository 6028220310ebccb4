-- Up to $1 standing orders whose time has come, the longest due first; none of domains $2, which somebody else has in
-- hand at the moment.
-- Relies on: crawl_policies_due.
select id, domain_id as "domainId" from crawl_policies
 where is_enabled and live_task_id is null and next_run_at <= forager_now() and domain_id <> all($2::bigint[])
 order by next_run_at
 limit $1
