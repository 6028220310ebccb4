-- Frees the leases of workers known to be gone ($1), fencing them out should they not be.
-- Their last requests may be newer than their last commit: the delay counts from now.
-- Relies on: domains_claimed.
update domains
   set claimed_by = null, claim_expires_at = null, version = version + 1, last_crawled_at = forager_now(),
       updated_at = forager_now()
 where claimed_by = any($1::text[])
returning id
