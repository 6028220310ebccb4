-- Tasks, the newest first, behind task $12 and not behind task $14: all, or only number $1, those in state $2, of domain
-- $3, batch $4, policy $5, parent $6, created by $7, of priority $8, created since $9 and before $10, with $11 in their
-- URL. The innermost part is a walk along one index in the order of the list (walk-index.ts puts in which). Nothing is
-- drawn into it from outside its limit, which is none: the planner has no other way, whatever it thinks of the others.
-- Relies on: crawl_tasks_status, crawl_tasks_domain, crawl_tasks_batch, crawl_tasks_parent, crawl_tasks_policy, crawl_tasks_creator.
select t.id, t.url, d.domain, t.status::text as status, t.move_reason as "statusReason", t.priority,
       t.scheduled_at as "scheduledAt", t.started_at as "startedAt", t.completed_at as "completedAt",
       t.retry_count as "retryCount", t.max_retries as "maxRetries", t.error_message as "errorMessage", t.executor, t.wanted,
       coalesce(p.is_enabled, false) as "isRecurring", p.frequency_hours as "crawlFrequencyHours",
       case when p.is_enabled then p.next_run_at end as "nextCrawlAt", t.recrawl_count as "recrawlCount",
       t.policy_id as "policyId", t.batch_id as "batchId", b.name as "batchName",
       t.parent_task_id as "parentTaskId", t.is_waiting as "isWaiting",
       t.follow_depth as "followDepth", t.follow_limit as "followLimit", t.http_status as "httpStatus",
       t.response_time_ms as "responseTimeMs", t.proxy_id as "proxyId", t.final_url as "finalUrl", t.fetched_at as "fetchedAt",
       t.segment_id is not null as "hasBody", t.locked_by as "lockedBy", t.locked_until as "lockedUntil",
       t.created_by as "createdBy", t.created_at as "createdAt", t.updated_at as "updatedAt"
  from (
    select l.*
      from (
        select *
          from crawl_tasks
         where /* walk */ ($1::bigint is null or id = $1)
           and ($12::bigint is null or id < $12)
           and ($14::bigint is null or id >= $14)
         order by /* walk */ id desc
         limit 1000000000000
      ) as l
     where ($2::task_status is null or l.status = $2)
       and ($3::bigint is null or l.domain_id = $3)
       and ($4::bigint is null or l.batch_id = $4)
       and ($5::bigint is null or l.policy_id = $5)
       and ($6::bigint is null or l.parent_task_id = $6)
       and ($7::text is null or l.created_by = $7)
       and ($8::smallint is null or l.priority = $8)
       and ($9::timestamptz is null or l.created_at >= $9)
       and ($10::timestamptz is null or l.created_at < $10)
       and ($11::text is null or position(lower($11) in lower(l.url)) > 0)
     order by /* walk l. */ l.id desc
     limit $13
  ) as t
  join domains d on d.id = t.domain_id
  left join crawl_policies p on p.id = t.policy_id
  left join crawl_batches b on b.id = t.batch_id
 order by t.id desc
