-- Jobs before id $1 (null: from the newest on), at most $4: those in state $2, of kind $3; null means any.
-- Relies on: the primary key of jobs, read backwards; those that are over are forgotten after a month.
select id, kind, params, state, is_cancel_requested as "isCancelRequested", done_count as done,
       total_count as total, result, error, created_by as "createdBy", created_at as "createdAt",
       started_at as "startedAt", finished_at as "finishedAt", updated_at as "updatedAt"
  from jobs
 where ($1::bigint is null or id < $1)
   and ($2::text is null or state = $2)
   and ($3::text is null or kind = $3)
 order by id desc
 limit $4
