-- Gives domains $1 their canonical names.
-- Relies on: the primary key of domains.
update domains d
   set domain = v.domain, parent_domain = v.parent_domain, base_url = v.base_url, updated_at = forager_now()
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as v (id, domain, parent_domain, base_url)
 where d.id = v.id
