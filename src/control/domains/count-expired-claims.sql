-- Leases that ran out and were not freed yet.
-- Relies on: domains_lease_ends.
select count(*)::int as domains, min(claim_expires_at) as "oldestExpiry"
  from domains where claimed_by is not null and claim_expires_at <= forager_now()
