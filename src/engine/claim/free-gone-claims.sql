-- Frees the leases of workers known to be gone ($1), fencing them out should they not be.
-- Their last requests may be newer than their last commit: the delay counts from now.
-- Rows are locked in id order, as everywhere, so that nobody waits for each other in a circle.
-- Relies on: domains_claimed, the primary key of domains.
with gone as (
  select id from domains
   where claimed_by = any($1::text[])
   order by id
     for update
)
update domains d
   set claimed_by = null, claim_expires_at = null, version = d.version + 1, last_crawled_at = forager_now(),
       updated_at = forager_now()
  from gone g
 where d.id = g.id
returning d.id
