-- Makes sure a row exists for each named domain. A seed never overrides a domain's state: existing rows are
-- left as they are.
-- Relies on: the unique index on domain.
insert into domains (domain, parent_domain, base_url, source)
select g.domain, g.parent_domain, g.base_url, $4
  from unnest($1::text[], $2::text[], $3::text[]) as g (domain, parent_domain, base_url)
 order by g.domain
on conflict (domain) do nothing
