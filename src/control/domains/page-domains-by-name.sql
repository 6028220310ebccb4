-- Up to $9 domains after the name $8 (null: from the first), in the order of their names: in state $1, with $2 in
-- their name, switched on or off ($3), held by a worker or not ($4), of parent domain $5, with at least $6 errors
-- and $7 pages; null leaves a condition out.
-- Relies on: the unique index on domain, which has them in this order.
select d.id, d.domain, d.parent_domain as "parentDomain", d.status::text as status,
       d.status_code as "statusCode", d.block_reason_code as "reasonCode", d.block_reason as reason,
       d.is_active as "isActive", d.is_refreshing as "isRefreshing", d.priority_score as "priorityScore",
       d.seed_rank as "seedRank", d.pages_discovered as "pagesDiscovered", d.pages_crawled as "pagesCrawled",
       greatest(d.pages_discovered - d.pages_crawled, 0) as "pagesRemaining",
       d.crawl_depth_reached as "depthReached", d.total_error_count as errors,
       d.consecutive_error_count as "consecutiveErrors",
       d.total_error_count::float8 / nullif(d.pages_crawled + d.total_error_count, 0) as "errorRate",
       d.images_stored::float8 / nullif(d.pages_crawled, 0) as "imageYield",
       d.products_found::float8 / nullif(d.pages_crawled, 0) as "productYield",
       case when d.claim_expires_at > forager_now() then d.claimed_by end as "claimedBy",
       case when d.claim_expires_at > forager_now() then d.claim_expires_at end as "claimExpiresAt",
       case when d.next_crawl_after > forager_now() then d.next_crawl_after end as "notBefore",
       d.next_crawl_after as "nextCrawlAt", d.run_id as "queueRun", d.source,
       d.first_seen_at as "firstSeenAt", d.last_crawled_at as "lastCrawledAt"
  from domains d
 where ($1::domain_status is null or d.status = $1)
   and ($2::text is null or strpos(d.domain, $2) > 0)
   and ($3::boolean is null or d.is_active = $3)
   and ($4::boolean is null or (d.claimed_by is not null and d.claim_expires_at > forager_now()) = $4)
   and ($5::text is null or d.parent_domain = $5)
   and ($6::bigint is null or d.total_error_count >= $6)
   and ($7::bigint is null or d.pages_crawled >= $7)
   and ($8::text is null or d.domain > $8)
 order by d.domain asc
 limit $9
