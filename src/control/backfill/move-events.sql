-- The history of domains $1 becomes part of that of domains $2.
-- Relies on: domain_events_domain.
update domain_events e
   set domain_id = m.to_id
  from unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
 where e.domain_id = m.from_id
