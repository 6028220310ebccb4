-- The best priority of the queued tasks of domains $1, as it is now.
-- Relies on: the primary key of domains, crawl_tasks_queued. The domains are locked already.
update domains d
   set task_priority = (select min(t.priority) from crawl_tasks t where t.domain_id = d.id and t.status = 'queued')
 where d.id = any($1::bigint[])
