-- The next task of each of the policies $1, which are locked like their domains, where no task for its URL is under
-- way. What was missed is not made up for: one task, whatever time has passed.
-- Relies on: the primary key of crawl_policies, crawl_tasks_one_live.
with added as (
  insert into crawl_tasks (domain_id, url, url_hash, priority, scheduled_at, max_retries, executor, policy_id,
                           recrawl_count, follow_depth, follow_limit, wanted, created_by, created_at, updated_at)
  select p.domain_id, p.url, p.url_hash, p.priority, forager_now(), p.max_retries, p.executor, p.id,
         least(p.runs_count, 2147483647), p.follow_depth, p.follow_limit, p.wanted, 'policy:' || p.id,
         forager_now(), forager_now()
    from crawl_policies p
   where p.id = any($1::bigint[])
   order by p.id
  on conflict (domain_id, url_hash)
    where status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
    do nothing
  returning id, policy_id
)
update crawl_policies p
   set live_task_id = a.id, runs_count = p.runs_count + 1, last_run_at = forager_now(), updated_at = forager_now()
  from added a
 where p.id = a.policy_id
returning p.id, a.id as "taskId"
