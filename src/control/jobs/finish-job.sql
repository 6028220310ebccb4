-- Job $1 of runner $2 is over: in state $3, with result $4 or error $5. Nothing, if it is not its job any more.
-- Relies on: the primary key of jobs.
update jobs
   set state = $3, result = $4, error = $5, runner = null, runner_until = null,
       finished_at = forager_now(), updated_at = forager_now()
 where id = $1 and runner = $2 and state = 'running'
