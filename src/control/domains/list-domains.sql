-- Domains in state $1 (null: any), the most recently crawled first, at most $2.
-- Relies on: nothing: reads every domain; domains_status where a state is named.
select d.domain, d.status::text as status, d.is_active as "isActive", d.pages_crawled as "pagesCrawled",
       d.pages_discovered as "pagesDiscovered", d.images_found as "imagesFound",
       d.total_error_count as errors, d.last_crawled_at as "lastCrawledAt",
       d.block_reason_code as "reasonCode", d.block_reason as reason, d.source,
       case when d.next_crawl_after > forager_now() then d.next_crawl_after end as "notBefore",
       case when d.claim_expires_at > forager_now() then d.claimed_by end as "claimedBy"
  from domains d
 where $1::domain_status is null or d.status = $1
 order by d.last_crawled_at desc nulls last, d.domain
 limit $2
