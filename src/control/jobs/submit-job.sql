-- A job for whoever runs jobs: kind $1, parameters $2, asked for by $3.
-- Relies on: nothing.
insert into jobs (kind, params, created_by, created_at, updated_at)
values ($1, $2, $3, forager_now(), forager_now())
returning id, kind, params, state, is_cancel_requested as "isCancelRequested", done_count as done,
          total_count as total, result, error, created_by as "createdBy", created_at as "createdAt",
          started_at as "startedAt", finished_at as "finishedAt", updated_at as "updatedAt"
