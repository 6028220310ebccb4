-- Domain $1 starts afresh: no cooldown, no lease, no errors held against it, its turn still to come. The epoch
-- rises, so that a worker that is at it now can write nothing more about it; since that worker may have requests
-- under way, nobody claims the domain for $2 milliseconds (null: it is free at once).
-- Relies on: the primary key of domains.
update domains
   set block_reason = null, block_reason_code = null, first_blocked_at = null, automatic_retry_count = 0,
       -- A second reset does not end the rest that the first one began.
       next_crawl_after = case
         when $2::float8 is null and status = 'pending' and status_code = 'reset' and next_crawl_after > forager_now()
           then next_crawl_after
         else forager_now() + $2::float8 * interval '1 millisecond' end,
       consecutive_error_count = 0, consecutive_throttle_count = 0, total_error_count = 0, error_rate = null,
       yielded_at = null, is_refreshing = false,
       claimed_by = null, claim_expires_at = null, version = version + 1, updated_at = forager_now()
 where id = $1
returning version, next_crawl_after as "restsUntil"
