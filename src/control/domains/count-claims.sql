-- Leases that hold, by worker.
-- Relies on: domains_claimed.
select claimed_by as worker, count(*)::int as domains, min(claim_expires_at) as "earliestExpiry",
       extract(epoch from min(claim_expires_at) - forager_now())::float8 as "expiresInSeconds"
  from domains
 where claimed_by is not null and claim_expires_at > forager_now()
 group by claimed_by order by count(*) desc, claimed_by
