-- One dead letter, dealt with or not.
-- Relies on: the primary keys of dead_letters, crawl_tasks and domains.
select l.id, l.queue, l.reason, l.task_id as "taskId", d.domain, t.url, t.status as "taskStatus",
       t.retry_count as "retryCount", l.payload, l.created_at as "createdAt", l.requeued_at as "requeuedAt",
       l.requeued_by as "requeuedBy"
  from dead_letters l
  left join crawl_tasks t on t.id = l.task_id
  left join domains d on d.id = l.domain_id
 where l.id = $1
