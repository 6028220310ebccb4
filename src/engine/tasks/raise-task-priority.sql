-- Domains $1 have queued tasks again, of priority $2 at best. Their rows must be locked already.
-- Relies on: the primary key of domains.
update domains d set task_priority = least(d.task_priority, v.priority)
  from unnest($1::bigint[], $2::smallint[]) as v (id, priority)
 where d.id = v.id and d.task_priority is distinct from least(d.task_priority, v.priority)
