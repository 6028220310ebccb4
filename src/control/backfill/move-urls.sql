-- Moves the URLs of domains $1 (only those of host $2, where it is not null) to domains $3.
-- Relies on: the primary key of urls.
update urls u
   set domain_id = m.to_id
  from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
 where u.domain_id = m.from_id and (m.host is null or m.host = split_part(u.url, '/', 3))
