-- Tasks $1 as they are, held against changes until the end of the transaction.
-- Relies on: the primary key of crawl_tasks.
select t.id, t.domain_id as "domainId", t.url, t.url_hash as hash, t.status::text as status, t.priority,
       t.scheduled_at as "scheduledAt", t.parent_task_id as "parentTaskId", t.batch_id as "batchId", t.move_reason as reason,
       t.segment_id is not null as "hasBody"
  from crawl_tasks t
 where t.id = any($1::bigint[])
 order by t.id
   for update
