-- If domain $1 has no queued tasks left, it says so. Its row must be locked already.
-- Relies on: the primary key of domains, crawl_tasks_queued.
update domains set task_priority = null
 where id = $1 and task_priority is not null
   and not exists (select from crawl_tasks t where t.domain_id = $1 and t.status = 'queued')
