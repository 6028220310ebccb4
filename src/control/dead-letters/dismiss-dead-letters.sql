-- Dead letters $1 are dealt with, by $2: there is no task to start again, or it is not given up any more.
-- Relies on: the primary key of dead_letters.
update dead_letters set requeued_at = forager_now(), requeued_by = $2
 where id = any($1::bigint[]) and requeued_at is null
returning id
