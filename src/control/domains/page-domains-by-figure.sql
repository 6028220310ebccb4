-- Up to $9 domains in the order of a figure: $8 says which, negated where $10; after figure $11 and id $12 (null:
-- from the first). The conditions $1 to $7 are those of the list by name. Figures change with every commit, so
-- that no index keeps them: every domain is looked at.
-- Relies on: nothing: reads every domain; domains_status or domains_parent where those are named.
select o.figure::text as figure, d.id, d.domain, d.parent_domain as "parentDomain", d.status::text as status,
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
  from domains d,
       lateral (select case $8::text
                         when 'priority' then d.priority_score::bigint
                         when 'pagesCrawled' then d.pages_crawled
                         when 'pagesDiscovered' then d.pages_discovered
                         when 'errors' then d.total_error_count
                         when 'lastCrawled' then (extract(epoch from d.last_crawled_at) * 1000000)::bigint
                         when 'nextCrawl' then (extract(epoch from d.next_crawl_after) * 1000000)::bigint
                       end as plain) as k,
       -- What has no value comes last in either order.
       lateral (select coalesce(case when $10::boolean then -k.plain else k.plain end, 9223372036854775807)
                       as figure) as o
 where ($1::domain_status is null or d.status = $1)
   and ($2::text is null or strpos(d.domain, $2) > 0)
   and ($3::boolean is null or d.is_active = $3)
   and ($4::boolean is null or (d.claimed_by is not null and d.claim_expires_at > forager_now()) = $4)
   and ($5::text is null or d.parent_domain = $5)
   and ($6::bigint is null or d.total_error_count >= $6)
   and ($7::bigint is null or d.pages_crawled >= $7)
   and ($11::bigint is null or (o.figure, d.id) > ($11, $12::bigint))
 order by o.figure, d.id
 limit $9
