-- Which of these names are taken, and by domains that are leased.
-- Relies on: the unique index on domain.
select domain, coalesce(claimed_by is not null and claim_expires_at > forager_now(), false) as "isLeased"
  from domains where domain = any($1::text[])
