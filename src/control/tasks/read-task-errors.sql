-- What went wrong with task $1, the latest first.
-- Relies on: error_logs_task.
select occurred_at as at, category, code, message, http_status as "httpStatus", attempt, worker_id as worker
  from error_logs
 where task_id = $1
 order by occurred_at desc, id desc
 limit 50
