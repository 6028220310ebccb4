-- Job $1.
-- Relies on: the primary key of jobs.
select id, kind, params, state, is_cancel_requested as "isCancelRequested", done_count as done,
       total_count as total, result, error, created_by as "createdBy", created_at as "createdAt",
       started_at as "startedAt", finished_at as "finishedAt", updated_at as "updatedAt"
  from jobs where id = $1
