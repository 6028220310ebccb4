-- Policies $1, which are locked like their domains: the task that is under way for the URL of each becomes its own,
-- and the next run counts from its end.
-- Relies on: crawl_tasks_one_live, the primary keys of crawl_policies and crawl_tasks.
with found as (
  select p.id as policy_id, p.runs_count, t.id
    from crawl_policies p
    join crawl_tasks t on t.domain_id = p.domain_id and t.url_hash = p.url_hash
     and t.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
   where p.id = any($1::bigint[]) and p.live_task_id is null
   order by t.id
     for update of t
), adopted as (
  update crawl_tasks t
     set policy_id = f.policy_id, recrawl_count = least(f.runs_count, 2147483647)
    from found f
   where t.id = f.id
  returning t.id, t.policy_id
)
update crawl_policies p
   set live_task_id = a.id, runs_count = p.runs_count + 1, last_run_at = forager_now(), updated_at = forager_now()
  from adopted a
 where p.id = a.policy_id
returning p.id, a.id as "taskId"
