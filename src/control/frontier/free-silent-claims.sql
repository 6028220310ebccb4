-- Frees the leases of workers that have stopped or been silent for $1 seconds, fencing them out should they not be
-- gone. Their last requests may be newer than their last commit: the delay counts from now.
-- Relies on: domains_claimed; the table of workers is small.
update domains d
   set claimed_by = null, claim_expires_at = null, version = d.version + 1, last_crawled_at = forager_now(),
       updated_at = forager_now()
  from workers w
 where d.claimed_by = w.id
   and (w.state = 'stopped' or w.heartbeat_at < forager_now() - $1::int * interval '1 second')
returning d.id
