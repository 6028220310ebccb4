-- The last tasks of policy $1, the latest first, at most $2.
-- Relies on: crawl_tasks_policy.
select id as "taskId", status::text as status, recrawl_count as "recrawlCount", scheduled_at as "scheduledAt",
       started_at as "startedAt", completed_at as "completedAt", retry_count as "retryCount",
       http_status as "httpStatus", error_message as "errorMessage"
  from crawl_tasks
 where policy_id = $1
 order by id desc
 limit $2
