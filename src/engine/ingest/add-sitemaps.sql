-- Sitemaps to read; those known already keep their state, those of a domain that was deleted meanwhile are left out.
-- Relies on: the primary keys of domain_sitemaps and domains.
insert into domain_sitemaps (domain_id, url, nesting)
select d.id, v.url, v.nesting
  from unnest($1::bigint[], $2::text[], $3::smallint[]) as v (domain_id, url, nesting)
  join domains d on d.id = v.domain_id
   for key share of d
on conflict do nothing
returning url
