-- Jobs that the bot named $1 holds, after number $2.
-- Relies on: crawl_tasks_locked_by, the primary key of domains.
select t.id as "taskId", t.url, d.domain, t.priority, t.retry_count as "retryCount", t.max_retries as "maxRetries",
       t.lock_version::text as "lockToken", t.locked_at as "lockedAt", t.locked_until as "lockedUntil",
       floor(extract(epoch from t.locked_until - forager_now()))::int as "secondsLeft"
  from crawl_tasks t
  join domains d on d.id = t.domain_id
 where t.locked_by = $1 and t.status = 'locked' and ($2::bigint is null or t.id > $2)
 order by t.id
 limit $3
