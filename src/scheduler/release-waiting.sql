-- Up to $2 of the tasks that wait for tasks $1, which are completed, wait no longer. One that was restarted meanwhile is
-- waited for again.
-- Relies on: crawl_tasks_waiting, the primary key of crawl_tasks.
with free as (
  select c.id from crawl_tasks c
   where c.id = any(array(select w.id
                            from crawl_tasks p,
                                 lateral (select c.id from crawl_tasks c
                                           where c.parent_task_id = p.id and c.is_waiting
                                           order by c.id limit $2) as w
                           where p.id = any($1::bigint[]) and p.status = 'completed'
                           limit $2))
     and c.is_waiting
   order by c.id
     for update skip locked
)
update crawl_tasks t set is_waiting = false from free where t.id = free.id
