-- Moves of task $1, the newest first, behind event $2.
-- Relies on: the primary key of task_events.
select id, at, from_status::text as "from", to_status::text as "to", actor, reason
  from task_events
 where task_id = $1 and ($2::bigint is null or id < $2)
 order by id desc
 limit $3
