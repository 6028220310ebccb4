-- Sitemaps to read; those known already keep their state.
-- Relies on: the primary key of domain_sitemaps.
insert into domain_sitemaps (domain_id, url, nesting)
select v.* from unnest($1::bigint[], $2::text[], $3::smallint[]) as v
on conflict do nothing
returning url
