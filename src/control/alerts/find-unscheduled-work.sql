-- Whether tasks or standing orders have been due for two minutes while no scheduler led.
-- Relies on: crawl_tasks_due, crawl_policies_due; the table of schedulers is small.
select exists (select from generate_series(1, 10) as p (priority)
                where (select true from crawl_tasks t
                        where t.status = 'pending' and not t.is_waiting and t.executor = 'forager'
                          and t.priority = p.priority
                          and t.scheduled_at <= forager_now() - interval '2 minutes'
                        limit 1)) as "hasTasks",
       exists (select from crawl_policies c
                where c.is_enabled and c.live_task_id is null
                  and c.next_run_at <= forager_now() - interval '2 minutes') as "hasPolicies",
       exists (select from schedulers
                where leads_since is not null and stopped_at is null
                  and heartbeat_at > forager_now() - interval '2 minutes') as "isAttended"
