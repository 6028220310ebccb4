-- Work that waits, counted up to $1 of each kind, and who is there to do it. A worker that does not register shows by
-- the domains it holds, a parser by the tasks. Tasks of domains that are switched off wait for a person. Workers and
-- schedulers are few.
-- Relies on: crawl_tasks_due, crawl_policies_due, crawl_tasks_status, crawl_tasks_to_parse, crawl_tasks_locks.
select (select count(*)::int
          from (select from generate_series(1, 10) as p (priority),
                       lateral (select from crawl_tasks t
                                 where t.status = 'pending' and not t.is_waiting and t.executor = 'forager'
                                   and t.priority = p.priority and t.scheduled_at <= forager_now()
                                 limit $1) as due
                 limit $1) as found) as "dueTasks",
       (select count(*)::int
          from (select from crawl_policies
                 where is_enabled and live_task_id is null and next_run_at <= forager_now()
                 limit $1) as found) as "duePolicies",
       (select count(*)::int
          from (select from crawl_tasks t join domains d on d.id = t.domain_id and d.is_active
                 where t.status = 'queued' limit $1) as found) as "queuedTasks",
       (select count(*)::int
          from (select from crawl_tasks t where t.status = 'queued_parse' limit $1) as found) as "tasksToParse",
       (select count(*)::int from schedulers
         where stopped_at is null and heartbeat_at > forager_now() - interval '1 minute') as schedulers,
       (select count(*)::int from workers
         where kind = 'worker' and 'crawl' = any(duties) and state <> 'stopped'
           and heartbeat_at > forager_now() - interval '2 minutes') as crawlers,
       (select count(*)::int from workers
         where kind = 'worker' and 'parse' = any(duties) and state <> 'stopped'
           and heartbeat_at > forager_now() - interval '2 minutes') as parsers,
       exists (select from domains
                where claimed_by is not null and claim_expires_at > forager_now() and run_id = 0
                  and not exists (select from workers w where w.id = claimed_by)) as "isSomebodyCrawling",
       exists (select from crawl_tasks
                where status = 'parsing' and locked_until > forager_now()
                  and not exists (select from workers w where w.id = locked_by)) as "isSomebodyParsing"
