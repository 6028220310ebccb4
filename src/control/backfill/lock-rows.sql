-- Domains by id ($1) or name ($2), locked in id order like everywhere, so that nobody waits in a circle.
-- Relies on: the primary key of domains and the unique index on domain.
select id, domain, base_url as "baseUrl", status, status_code as "statusCode", block_reason as "blockReason",
       block_reason_code as "blockReasonCode", next_crawl_after::text as "nextCrawlAfter",
       first_seen_at as "firstSeenAt",
       claimed_by is not null and claim_expires_at > forager_now() as "isLeased"
  from domains
 where id = any($1::bigint[]) or domain = any($2::text[])
 order by id
   for update
