-- Jobs that are not finished, those of $1 (not finished when last looked at), those after number $2, and always the
-- newest.
-- Relies on: jobs_unfinished, the primary key of jobs.
select id, kind, state, is_cancel_requested as "isCancelRequested", done_count as done, total_count as total
  from jobs
 where id in ((select id from jobs where finished_at is null limit 1000)
              union (select unnest($1::bigint[]))
              union (select id from jobs where id > $2 order by id limit 1000)
              union (select max(id) from jobs))
 order by id
