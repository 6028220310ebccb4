-- Of the leases of worker $1 on domains $2 under epochs $3, those that are not what they were: lost, or of a domain
-- that has moved out of the queue of run $4.
-- Relies on: the primary key of domains.
select given.id, coalesce(d.claimed_by is distinct from $1 or d.version <> given.version, true) as is_lost
  from unnest($2::bigint[], $3::bigint[]) as given (id, version)
  left join domains d on d.id = given.id
 where d.id is null or d.claimed_by is distinct from $1 or d.version <> given.version or d.run_id <> $4
