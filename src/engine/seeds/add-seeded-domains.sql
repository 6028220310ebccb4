-- Adds a row for each named domain that has none, for the standing order, and returns those it added. A seed
-- never overrides a domain's state: existing rows are left as they are. $6 is what a new domain is known to
-- have: its seeds, all of them new to it. Ids follow the order of naming, which is an order of claiming; rows are
-- inserted in that of their names, so that nobody waits for each other in a circle.
-- Relies on: the unique index on domain.
insert into domains (id, domain, parent_domain, base_url, source, seed_rank, pages_discovered, max_pages_per_run,
                     first_seen_at, updated_at) overriding system value
select g.id, g.domain, g.parent_domain, g.base_url, $4, g.seed_rank, g.pages_count, $7::int,
       forager_now(), forager_now()
  from (select nextval(pg_get_serial_sequence('domains', 'id')) as id, v.*
          from unnest($1::text[], $2::text[], $3::text[], $5::int[], $6::int[]) with ordinality
               as v (domain, parent_domain, base_url, seed_rank, pages_count, place)
         order by v.place) as g
 order by g.domain
on conflict (domain) do nothing
returning id
