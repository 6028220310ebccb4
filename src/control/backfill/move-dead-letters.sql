-- Dead letters of tasks go where their tasks have gone, out of domains $1.
-- Relies on: dead_letters_task, the primary key of crawl_tasks.
update dead_letters l
   set domain_id = t.domain_id
  from crawl_tasks t
 where l.domain_id = any($1::bigint[]) and t.id = l.task_id and l.domain_id <> t.domain_id
