-- Of several lists that rank a domain, the one that holds it highest counts. Returns the domains it changed;
-- they are locked by this transaction.
-- Relies on: the primary key of domains.
update domains d
   set seed_rank = g.seed_rank, updated_at = forager_now()
  from unnest($1::bigint[], $2::int[]) as g (id, seed_rank)
 where d.id = g.id and g.seed_rank is not null and (d.seed_rank is null or g.seed_rank < d.seed_rank)
returning d.id
