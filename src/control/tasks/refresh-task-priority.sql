-- The best priority of the queued tasks of domain $1, as it is now.
-- Relies on: the primary key of domains, crawl_tasks_queued. The domain is locked already.
update domains
   set task_priority = (select min(priority) from crawl_tasks where domain_id = $1 and status = 'queued')
 where id = $1
