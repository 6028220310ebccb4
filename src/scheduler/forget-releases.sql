-- Those of tasks $1 for which nobody waits any more, or that are not completed any more, need not be remembered.
-- Relies on: crawl_tasks_waiting, the primary keys of task_releases and crawl_tasks.
delete from task_releases r
 where r.task_id = any($1::bigint[])
   and (select true from crawl_tasks p
         where p.id = r.task_id and p.status = 'completed'
           and (select true from crawl_tasks c where c.parent_task_id = p.id and c.is_waiting limit 1)) is null
