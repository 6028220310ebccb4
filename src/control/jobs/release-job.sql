-- Runner $2 has to leave job $1: somebody else goes on with it, and this was no failure.
-- Relies on: the primary key of jobs.
update jobs
   set state = 'queued', runner = null, runner_until = null, attempts_count = attempts_count - 1,
       updated_at = forager_now()
 where id = $1 and runner = $2 and state = 'running'
