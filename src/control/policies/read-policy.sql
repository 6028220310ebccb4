-- Policy $1.
-- Relies on: the primary keys of crawl_policies, domains and crawl_tasks.
select p.id, p.url, d.domain, p.frequency_hours as "frequencyHours", p.priority, p.max_retries as "maxRetries",
       p.retry_backoff_minutes as "retryBackoffMinutes", p.timeout_minutes as "timeoutMinutes", p.executor, p.wanted,
       p.follow_depth as "followDepth", p.follow_limit as "followLimit",
       p.is_enabled as "isEnabled", p.next_run_at as "nextRunAt", p.live_task_id as "liveTaskId",
       t.status::text as "liveTaskStatus", t.scheduled_at as "liveTaskScheduledAt",
       p.last_run_at as "lastRunAt", p.last_success_at as "lastSuccessAt",
       p.last_failed_at as "lastFailedAt", p.failure_count as "failureCount", p.runs_count as "runsCount",
       p.created_by as "createdBy", p.created_at as "createdAt", p.updated_at as "updatedAt"
  from crawl_policies p
  join domains d on d.id = p.domain_id
  left join crawl_tasks t on t.id = p.live_task_id
 where p.id = $1
