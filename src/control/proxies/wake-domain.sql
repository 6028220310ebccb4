-- Domain $1, if it waits for a proxy and nobody is at it. Its row is locked already.
-- Relies on: the primary key of domains.
update domains
   set next_crawl_after = null, block_reason = null, block_reason_code = null, first_blocked_at = null,
       updated_at = forager_now()
 where id = $1 and block_reason_code = 'no_proxy' and claimed_by is null and status in ('pending', 'active')
