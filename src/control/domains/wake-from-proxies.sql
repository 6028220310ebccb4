-- Domain $1 can be claimed at once if it waits for a proxy: the next worker looks whether there is one now. What rests
-- for another reason, or is being worked on, is left as it is.
-- Relies on: the primary key of domains.
update domains
   set next_crawl_after = null, block_reason_code = null, block_reason = null, updated_at = forager_now()
 where id = $1 and block_reason_code = 'no_proxy' and status in ('pending', 'active') and claimed_by is null
