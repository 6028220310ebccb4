-- Dead letters that nobody has dealt with, the latest first, with numbers below $1 (all: null), of queue $2 and domain
-- $3 (any: null), at most $4.
-- Relies on: dead_letters_open, dead_letters_open_queue, dead_letters_open_domain.
select l.id, l.queue, l.reason, l.task_id as "taskId", d.domain, t.url, t.status as "taskStatus",
       t.retry_count as "retryCount", l.payload, l.created_at as "createdAt", l.requeued_at as "requeuedAt",
       l.requeued_by as "requeuedBy"
  from dead_letters l
  left join crawl_tasks t on t.id = l.task_id
  left join domains d on d.id = l.domain_id
 where l.requeued_at is null
   and ($1::bigint is null or l.id < $1)
   and ($2::text is null or l.queue = $2)
   and ($3::bigint is null or l.domain_id = $3)
 order by l.id desc
 limit $4
