-- Policies by when they are due, those due last first, after the one of time $7 and number $8 (from the beginning:
-- null), at most $9: of domain $1, enabled $2, failing $3, with a task under way $4, for executor $5, with $6 in
-- the URL (any of them: null). The time is told to the microsecond as well (place), for the next page.
-- Relies on: crawl_policies_next_run; the unique index on domain and page where a domain is named.
select p.id, p.url, d.domain, p.frequency_hours as "frequencyHours", p.priority, p.max_retries as "maxRetries",
       p.retry_backoff_minutes as "retryBackoffMinutes", p.timeout_minutes as "timeoutMinutes", p.executor, p.wanted,
       p.follow_depth as "followDepth", p.follow_limit as "followLimit",
       p.is_enabled as "isEnabled", p.next_run_at as "nextRunAt", p.live_task_id as "liveTaskId",
       t.status::text as "liveTaskStatus", t.scheduled_at as "liveTaskScheduledAt",
       p.last_run_at as "lastRunAt", p.last_success_at as "lastSuccessAt",
       p.last_failed_at as "lastFailedAt", p.failure_count as "failureCount", p.runs_count as "runsCount",
       p.created_by as "createdBy", p.created_at as "createdAt", p.updated_at as "updatedAt",
       to_char(p.next_run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
  from crawl_policies p
  join domains d on d.id = p.domain_id
  left join crawl_tasks t on t.id = p.live_task_id
 where (p.next_run_at, p.id) < (coalesce($7::timestamptz, 'infinity'), coalesce($8::bigint, 9223372036854775807)) and ($1::bigint is null or p.domain_id = $1) and ($2::boolean is null or p.is_enabled = $2)
   and ($3::boolean is null or (p.failure_count > 0) = $3) and ($4::boolean is null or (p.live_task_id is not null) = $4)
   and ($5::text is null or p.executor = $5) and ($6::text is null or position(lower($6) in lower(p.url)) > 0)
 order by p.next_run_at desc, p.id desc
 limit $9
