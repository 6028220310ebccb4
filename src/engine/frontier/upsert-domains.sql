-- Makes sure a row exists for each named domain. A seed never overrides a domain's state: existing rows are
-- left as they are. Ids follow the order of naming, which is an order of claiming; rows are inserted in that of
-- their names, so that nobody waits for each other in a circle.
-- Relies on: the unique index on domain.
insert into domains (id, domain, parent_domain, base_url, source) overriding system value
select g.id, g.domain, g.parent_domain, g.base_url, g.source
  from (select nextval(pg_get_serial_sequence('domains', 'id')) as id, v.*
          from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
               as v (domain, parent_domain, base_url, source, place)
         order by v.place) as g
 order by g.domain
on conflict (domain) do nothing
