-- Frees the leases of workers known to be gone ($1), fencing them out should they not be.
-- Relies on: domains_claimed.
update domains
   set claimed_by = null, claim_expires_at = null, version = version + 1, updated_at = now()
 where claimed_by = any($1::text[])
returning id
