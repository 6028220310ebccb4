-- Everything the row of domain $1 says.
-- Relies on: the primary key of domains.
select d.id, d.domain, d.parent_domain as "parentDomain", d.base_url as "baseUrl",
       d.status::text as status, d.status_code as "statusCode",
       d.block_reason_code as "reasonCode", d.block_reason as reason,
       d.first_blocked_at as "blockedSince", d.automatic_retry_count as "automaticRetries",
       case when d.next_crawl_after > forager_now() then d.next_crawl_after end as "notBefore",
       d.next_crawl_after as "nextCrawlAfter", d.is_active as "isActive", d.claimed_by as "claimedBy", d.claim_expires_at as "claimExpiresAt",
       d.claimed_by is not null and d.claim_expires_at > forager_now() as "isClaimed", d.version,
       d.run_id as "queueRun", d.yielded_at as "yieldedAt", d.is_refreshing as "isRefreshing",
       d.parser_name as "parserName", d.images_mode as images, d.language, d.crawl_delay_ms as "crawlDelayMs",
       d.max_concurrent_requests as "maxConcurrentRequests", d.max_pages_per_run as "maxPagesPerRun",
       d.default_crawl_frequency::text as "crawlFrequency",
       extract(epoch from d.default_crawl_frequency)::float8 / 3600 as "crawlFrequencyHours", d.user_agent as "userAgent",
       d.scope, d.include, d.exclude, d.max_depth as "maxDepth",
       d.is_explored as "isExplored",
       case when d.maintenance_start is not null
            then jsonb_build_object('start', to_char(d.maintenance_start, 'HH24:MI'),
                                    'end', to_char(d.maintenance_end, 'HH24:MI'),
                                    'timezone', d.maintenance_timezone) end as maintenance,
       d.proxy_mode as "proxyMode", d.proxy_country as "proxyCountry", d.proxy_rotation as "proxyRotation",
       d.proxy_requests_per_hour as "proxyRequestsPerHour",
       d.pages_crawled as "pagesCrawled", d.pages_discovered as "pagesDiscovered",
       d.images_found as "imagesFound", d.images_stored as "imagesStored", d.products_found as "productsFound",
       d.crawl_depth_reached as "depthReached",
       d.total_error_count as errors, d.consecutive_error_count as "consecutiveErrors",
       d.priority_score as "priorityScore", d.source, d.first_seen_at as "firstSeenAt",
       d.last_crawled_at as "lastCrawledAt"
  from domains d where d.id = $1
