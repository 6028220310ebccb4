-- A new domain $1 of parent $2 at $3, found by $4, switched on or off ($5); no row when the name is known already.
-- Relies on: the unique index on domain.
insert into domains (domain, parent_domain, base_url, source, is_active, pages_discovered, first_seen_at, updated_at)
values ($1, $2, $3, $4, $5, 1, forager_now(), forager_now())
on conflict (domain) do nothing
returning id
