-- Makes sure a row exists for each named domain that tasks have led to; new ones are there for their tasks only.
-- Relies on: the unique index on domain.
insert into domains (domain, parent_domain, base_url, source, is_explored)
select v.domain, v.parent_domain, v.base_url, 'task', false
  from unnest($1::text[], $2::text[], $3::text[]) as v (domain, parent_domain, base_url)
 order by v.domain
on conflict (domain) do nothing
