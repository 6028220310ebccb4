-- Renews the leases of worker $1 on domains $2 under epochs $3 for $4 milliseconds; returns those still held.
update domains d
   set claim_expires_at = now() + $4::float8 * interval '1 millisecond'
  from unnest($2::bigint[], $3::bigint[]) as held (id, version)
 where d.id = held.id and d.claimed_by = $1 and d.version = held.version
returning d.id
