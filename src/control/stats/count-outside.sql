-- What leaves the house: proxies by state and the domains that wait for one, bots that were heard of in the last ten
-- minutes, jobs that wait for them or are with them, and all that they have ever done.
-- Relies on: crawl_tasks_bot_pending, crawl_tasks_locked, domains_without_proxy; proxies and bots are few.
select p.*, b.*,
       (select count(*)::int from domains
         where block_reason_code = 'no_proxy' and status in ('pending', 'active') and claimed_by is null
           and next_crawl_after > forager_now()) as "waitingDomains",
       (select count(*)::int from crawl_tasks
         where status = 'pending' and not is_waiting and executor = 'bot') as "pendingJobs",
       (select count(*)::int from crawl_tasks where status = 'locked') as "lockedJobs"
  from (select count(*) filter (where is_active)::int as "activeProxies",
               count(*) filter (where not is_active and disabled_by = 'failures')::int as "outProxies",
               count(*) filter (where not is_active and disabled_by <> 'failures')::int as "disabledProxies"
          from proxies) as p
 cross join (
   select count(*) filter (where revoked_at is null and last_pull_at > forager_now() - interval '10 minutes')::int
            as "activeBots",
          coalesce(sum(pulls_count), 0)::bigint as pulls, coalesce(sum(jobs_count), 0)::bigint as jobs,
          coalesce(sum(success_count), 0)::bigint as successes,
          coalesce(sum(failures_count), 0)::bigint as failures,
          coalesce(sum(expired_count), 0)::bigint as expired
     from bots) as b
