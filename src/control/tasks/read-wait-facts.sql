-- What decides whether task $1 can run now: itself, its parent, its batch, its domain, and who is there to run it. With
-- bots may be $2 jobs of a domain that says nothing itself.
-- Schedulers, workers and bots are few.
-- Relies on: the primary keys of all it joins, crawl_tasks_queued, crawl_tasks_locked, workers_heartbeat.
select t.id, t.status::text as status, t.scheduled_at as "scheduledAt", t.scheduled_at > forager_now() as "isEarly",
       t.retry_count as "retryCount", t.move_reason as reason, t.moved_by as "movedBy", t.executor,
       t.is_waiting as "isWaiting", t.parent_task_id as "parentTaskId", p.status::text as "parentStatus",
       t.batch_id as "batchId", b.name as "batchName", b.paused_at is not null as "isBatchPaused",
       d.domain, d.is_active as "isActive", d.status::text as "domainStatus",
       coalesce(d.block_reason, d.block_reason_code) as "blockReason",
       d.block_reason_code is not distinct from 'no_proxy' as "isWithoutProxy",
       case when d.next_crawl_after > forager_now() then d.next_crawl_after end as "restsUntil",
       maintenance_ends(d.maintenance_start, d.maintenance_end, d.maintenance_timezone, forager_now())
         as "maintenanceUntil",
       case when d.claim_expires_at > forager_now() then d.claimed_by end as "claimedBy",
       d.run_id <> 0 as "isInCrawl", r.status = 'running' and r.updated_at > forager_now() - interval '2 minutes'
         as "isCrawlRunning",
       (select count(*)::int from (
          select from crawl_tasks o
           where o.domain_id = t.domain_id and o.status = 'queued'
             and (o.priority, o.scheduled_at, o.id) < (t.priority, t.scheduled_at, t.id)
           limit 1000) as before_it) as "aheadCount",
       exists (select from schedulers s
                where s.leads_since is not null and s.stopped_at is null
                  and s.heartbeat_at > forager_now() - interval '1 minute') as "hasScheduler",
       w.crawlers > 0 as "hasWorker", w.parsers > 0 as "hasParser", o.live_task_id as "policyTaskId",
       (select count(*)::int from crawl_tasks l where l.domain_id = t.domain_id and l.status = 'locked')
         as "lockedCount",
       coalesce(d.max_concurrent_requests, $2::int) as "mostLocked", a.bots as "botsCount", a.recent > 0 as "hasBot"
  from crawl_tasks t
  join domains d on d.id = t.domain_id
  left join crawl_tasks p on p.id = t.parent_task_id
  left join crawl_batches b on b.id = t.batch_id
  left join crawl_runs r on r.id = d.run_id
  left join crawl_policies o on o.id = t.policy_id
 cross join lateral (
   select count(*) filter (where 'crawl' = any(l.duties)) as crawlers,
          count(*) filter (where 'parse' = any(l.duties)) as parsers
     from workers l
    where l.state <> 'stopped' and l.run_id = 0 and l.heartbeat_at > forager_now() - interval '2 minutes') as w
 cross join lateral (
   select count(*)::int as bots,
          count(*) filter (where b.last_pull_at > forager_now() - interval '10 minutes') as recent
     from bots b
    where b.revoked_at is null
      and (b.domains is null
           or exists (select from unnest(b.domains) as n (name)
                       where d.domain = n.name or right(d.domain, length(n.name) + 1) = '.' || n.name))) as a
 where t.id = $1
