-- Job $1 stays runner $2's until the end of the transaction: whoever takes over passes over a row that is held, while
-- renewals and cancellations, which leave its key as it is, wait for nobody. No row: it is not its job any more.
-- Relies on: the primary key of jobs.
select is_cancel_requested as "isCancelRequested"
  from jobs
 where id = $1 and runner = $2 and state = 'running'
   for key share
