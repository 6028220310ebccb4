-- Job $1 is not to go on: one that nobody has begun is over at once, the runner of another learns it when it next
-- reports or begins a portion; the one under way is not waited for. No row: there is no such job, or it is over.
-- Relies on: the primary key of jobs.
update jobs j
   set is_cancel_requested = true,
       state = case when j.state = 'queued' then 'cancelled' else j.state end,
       finished_at = case when j.state = 'queued' then forager_now() end,
       updated_at = case when was.is_cancel_requested then j.updated_at else forager_now() end
  from (select id, is_cancel_requested from jobs where id = $1 for no key update) as was
 where j.id = was.id and j.finished_at is null
returning j.id, j.kind, j.params, j.state, j.is_cancel_requested as "isCancelRequested", j.done_count as done,
          j.total_count as total, j.result, j.error, j.created_by as "createdBy", j.created_at as "createdAt",
          j.started_at as "startedAt", j.finished_at as "finishedAt", j.updated_at as "updatedAt",
          was.is_cancel_requested as "wasRequested"
