-- Up to $1 tasks in state $3 whose lock has run out, the longest first; none of domains $2.
-- Relies on: crawl_tasks_locks.
select id, domain_id as "domainId", policy_id as "policyId" from crawl_tasks
 where status = $3::task_status and status in ('parsing', 'locked') and locked_until <= forager_now()
   and domain_id <> all($2::bigint[])
 order by locked_until
 limit $1
