-- Makes sure a row exists for each named domain and returns all their ids. A seed never overrides a
-- domain's state: existing rows are left as they are.
-- Relies on: the unique index on domain.
with given as (
  select * from unnest($1::text[], $2::text[], $3::text[]) as g (domain, parent_domain, base_url)
), added as (
  insert into domains (domain, parent_domain, base_url, source)
  select domain, parent_domain, base_url, $4 from given order by domain
  on conflict (domain) do nothing
  returning id, domain
)
select id, domain from added
union all
select d.id, d.domain from domains d join given g on g.domain = d.domain
