-- Renews the leases of worker $1 on domains $2 under epochs $3 for $4 milliseconds; returns those still held, and
-- in whose queue they are by now.
-- Rows are locked in id order, as everywhere, so that nobody waits for each other in a circle.
-- Relies on: the primary key of domains.
with held as (
  select d.id
    from domains d
    join unnest($2::bigint[], $3::bigint[]) as given (id, version) on d.id = given.id
   where d.claimed_by is not distinct from $1 and d.version = given.version
   order by d.id
     for update of d
)
update domains d
   set claim_expires_at = forager_now() + $4::float8 * interval '1 millisecond'
  from held
 where d.id = held.id
returning d.id, d.run_id
