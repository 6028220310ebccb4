-- Lock $2 of job $1 ends $3 seconds from now, but no later than a day after it began, and never earlier than it would.
-- Relies on: the primary key of crawl_tasks. The job is locked already.
update crawl_tasks
   set locked_until = greatest(locked_until, least(forager_now() + $3::int * interval '1 second',
                                                   locked_at + interval '1 day'))
 where id = $1 and status = 'locked' and lock_version = $2::bigint
returning locked_until as "lockedUntil"
