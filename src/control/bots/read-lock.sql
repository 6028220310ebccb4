-- Who has job $1, and what it wants; no row: there is none.
-- Relies on: the primary key of crawl_tasks.
select t.id, t.domain_id as "domainId", t.policy_id as "policyId", t.url, t.url_hash as "urlHash", t.wanted,
       t.retry_count as "retryCount", t.max_retries as "maxRetries",
       case when t.status = 'locked' then t.locked_by end as "lockedBy",
       case when t.status = 'locked' then t.lock_version::text end as "lockToken",
       t.status = 'locked' and t.locked_until <= forager_now() as "isRunOut", 0 as "workMs"
  from crawl_tasks t
 where t.id = $1 and t.executor = 'bot'
