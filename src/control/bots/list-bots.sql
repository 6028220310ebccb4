-- Bots with their statistics, the newest first, below number $1; only those that are revoked, or not, where $2 says so.
-- Relies on: the primary key of bots, crawl_tasks_locked_by.
select b.id, b.bot_id as "botId", b.description, b.domains, b.max_locks as "maxLocks", b.max_jobs_per_hour as "maxJobsPerHour",
       b.revoked_at is not null as "isRevoked", b.revoked_at as "revokedAt",
       (select count(*) from crawl_tasks t where t.locked_by = b.bot_id and t.status = 'locked') as "heldCount",
       b.pulls_count as "pullsCount", b.jobs_count as "jobsCount", b.success_count as "successCount",
       b.failures_count as "failuresCount", b.expired_count as "expiredCount",
       round(b.success_count::numeric / nullif(b.success_count + b.failures_count + b.expired_count, 0), 4)::float8
         as "successRate",
       (b.work_ms / nullif(b.success_count + b.failures_count, 0))::float8 as "meanWorkMs",
       b.last_pull_at as "lastPullAt", b.last_submit_at as "lastSubmitAt", b.created_by as "createdBy",
       b.created_at as "createdAt", b.updated_at as "updatedAt"
  from bots b
 where ($1::bigint is null or b.id < $1) and ($2::boolean is null or (b.revoked_at is not null) = $2)
 order by b.id desc
 limit $3
