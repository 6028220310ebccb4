-- Takes domain $1 away from whoever holds it: the epoch rises, so that nothing more can be written under that lease,
-- and since requests may be under way nobody claims it for $2 milliseconds. The row is locked already.
-- Relies on: the primary key of domains.
update domains
   set claimed_by = null, claim_expires_at = null, version = version + 1,
       next_crawl_after = greatest(next_crawl_after, forager_now() + $2::float8 * interval '1 millisecond'),
       last_crawled_at = forager_now(), updated_at = forager_now()
 where id = $1 and claimed_by is not null
returning next_crawl_after as "restsUntil"
