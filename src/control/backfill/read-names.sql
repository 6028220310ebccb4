-- The names of the next $2 domains after id $1, with how many URLs hang on each.
-- Relies on: the primary key of domains.
select id, domain, pages_discovered as weight,
       coalesce(claimed_by is not null and claim_expires_at > forager_now(), false) as "isLeased"
  from domains where id > $1 order by id limit $2
