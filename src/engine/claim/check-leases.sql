-- Of the leases of worker $1 on domains $2 under epochs $3, those there is something to say about: lost, of a domain that
-- has moved out of the queue of run $4, that has tasks nobody has taken, or whose maintenance window has begun.
-- Relies on: the primary key of domains.
select * from (
  select given.id,
         coalesce(d.claimed_by is distinct from $1 or d.version <> given.version, true) as is_lost,
         coalesce(d.run_id <> $4, false) as is_wanted,
         coalesce(d.task_priority is not null, false) as has_tasks,
         extract(epoch from maintenance_ends(d.maintenance_start, d.maintenance_end, d.maintenance_timezone,
                                             forager_now()) - forager_now())::float8 * 1000 as maintenance_ms
    from unnest($2::bigint[], $3::bigint[]) as given (id, version)
    left join domains d on d.id = given.id
) as lease
 where is_lost or is_wanted or has_tasks or maintenance_ms is not null
