-- Moves what went wrong at domains $1 (only that of host $2, where it is not null) to domains $3.
-- Relies on: error_logs_domain.
update error_logs e
   set domain_id = m.to_id
  from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
 where e.domain_id = m.from_id and (m.host is null or m.host = split_part(e.url, '/', 3))
