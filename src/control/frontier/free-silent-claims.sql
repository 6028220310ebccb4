-- Frees the leases of workers that have stopped or been silent for $1 seconds, fencing them out should they not be
-- gone. Their last requests may be newer than their last commit: the delay counts from now.
-- Rows are locked in id order, as everywhere, so that nobody waits for each other in a circle.
-- Relies on: domains_claimed, the primary key of domains; the table of workers is small.
with silent as (
  select d.id
    from domains d
    join workers w on w.id = d.claimed_by
   where w.state = 'stopped' or w.heartbeat_at < forager_now() - $1::int * interval '1 second'
   order by d.id
     for update of d
)
update domains d
   set claimed_by = null, claim_expires_at = null, version = d.version + 1, last_crawled_at = forager_now(),
       updated_at = forager_now()
  from silent s
 where d.id = s.id
returning d.id
