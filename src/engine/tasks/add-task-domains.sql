-- Adds a row for each named domain ($1, of parents $2, at $3) that has none: there for its tasks only, nothing of it
-- known. Inserted in the order of their names, so that nobody waits for each other in a circle.
-- Relies on: the unique index on domain.
insert into domains (domain, parent_domain, base_url, source, is_explored, first_seen_at, updated_at)
select g.domain, g.parent_domain, g.base_url, 'task', false, forager_now(), forager_now()
  from unnest($1::text[], $2::text[], $3::text[]) as g (domain, parent_domain, base_url)
 order by g.domain
on conflict (domain) do nothing
returning id
