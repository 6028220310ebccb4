-- That the database answers, and what else there is to know about the state of the whole. The scheduler looks at
-- least every ten seconds: what has been due for half a minute waits for one.
-- Relies on: workers_heartbeat, jobs_unfinished, crawl_tasks_due, crawl_policies_due; schedulers are few.
select (select max(version) from schema_migrations) as "schemaVersion",
       (select count(*)::int from workers
         where state <> 'stopped' and heartbeat_at > forager_now() - interval '2 minutes') as workers,
       s.active as schedulers, s.leading > 0 as "hasLeader",
       s.leading = 0 and least(
         (select min(t.scheduled_at)
            from generate_series(1, 10) as p (priority),
                 lateral (select w.scheduled_at from crawl_tasks w
                           where w.status = 'pending' and not w.is_waiting and w.executor = 'forager'
                             and w.priority = p.priority
                           order by w.scheduled_at limit 1) as t),
         (select c.next_run_at from crawl_policies c
           where c.is_enabled and c.live_task_id is null order by c.next_run_at limit 1)
       ) < forager_now() - interval '30 seconds' as "isDueWaiting",
       (select count(*)::int from jobs where finished_at is null and state = 'queued') as "jobsQueued",
       (select count(*)::int from jobs where finished_at is null and state = 'running') as "jobsRunning"
  from (select count(*)::int as active, count(leads_since)::int as leading
          from schedulers
         where stopped_at is null and heartbeat_at > forager_now() - interval '1 minute') as s
