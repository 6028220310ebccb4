-- The oldest job of kinds $3 that nobody is at becomes runner $1's for $2 milliseconds. One that somebody else has
-- begun and left is taken over, whatever its state was: its kind finds what is left to do.
-- Relies on: jobs_unfinished (unfinished jobs only).
with next as (
  select id from jobs
   where finished_at is null and kind = any($3::text[])
     and (state = 'queued' or (state = 'running' and runner_until < forager_now()))
   order by id
   limit 1
     for update skip locked
)
update jobs j
   set state = 'running', runner = $1, runner_until = forager_now() + $2::float8 * interval '1 millisecond',
       attempts_count = j.attempts_count + 1, started_at = coalesce(j.started_at, forager_now()),
       updated_at = forager_now()
  from next
 where j.id = next.id
returning j.id, j.kind, j.params, j.done_count as "doneBefore", j.created_by as actor,
          j.is_cancel_requested as "isCancelRequested", j.attempts_count as "attempts"
