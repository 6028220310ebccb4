-- Whether there is a job for somebody: one nobody has begun, or one whose runner has fallen silent.
-- Relies on: jobs_unfinished (unfinished jobs only).
select id from jobs
 where finished_at is null and kind = any($1::text[])
   and (state = 'queued' or (state = 'running' and runner_until < forager_now()))
 limit 1
