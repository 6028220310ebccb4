-- Errors, the latest first, before a given moment and error: of category $1, domain $2, task $3, code $4, from $5 until
-- $6 (any: null).
-- Relies on: error_logs_at, error_logs_category, error_logs_domain, error_logs_task, error_logs_code.
select e.id, e.occurred_at as "occurredAt", e.category, e.code, e.message, e.stack, d.domain, e.url,
       e.task_id as "taskId", e.http_status as "httpStatus", e.attempt, e.worker_id as "workerId",
       to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText"
  from error_logs e
  left join domains d on d.id = e.domain_id
 where ($1::text is null or e.category = $1)
   and ($2::bigint is null or e.domain_id = $2)
   and ($3::bigint is null or e.task_id = $3)
   and ($4::text is null or e.code = $4)
   and ($5::timestamptz is null or e.occurred_at >= $5)
   and ($6::timestamptz is null or e.occurred_at < $6)
   and ($7::timestamptz is null or (e.occurred_at, e.id) < ($7, $8))
 order by e.occurred_at desc, e.id desc
 limit $9
