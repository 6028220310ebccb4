-- How many milliseconds from now the next task, standing order or end of a lock is due; null: nothing waits for its
-- time.
-- Relies on: crawl_tasks_due, crawl_policies_due, crawl_tasks_locks.
select extract(epoch from least(
         (select min(t.scheduled_at)
            from generate_series(1, 10) as p (priority),
                 lateral (select w.scheduled_at from crawl_tasks w
                           where w.status = 'pending' and not w.is_waiting and w.executor = 'forager'
                             and w.priority = p.priority
                           order by w.scheduled_at limit 1) as t),
         (select c.next_run_at from crawl_policies c
           where c.is_enabled and c.live_task_id is null order by c.next_run_at limit 1),
         (select l.locked_until from crawl_tasks l
           where l.status in ('parsing', 'locked') order by l.locked_until limit 1)
       ) - forager_now())::float8 * 1000 as "inMs"
