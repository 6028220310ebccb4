-- How many hold leases without being in the list of workers, and how many domains they hold: crawls that do not
-- register do.
-- Relies on: domains_claimed, the primary key of workers.
select count(distinct d.claimed_by)::int as holders, count(*)::int as domains
  from domains d
 where d.claimed_by is not null and d.claim_expires_at > forager_now()
   and not exists (select from workers w where w.id = d.claimed_by)
