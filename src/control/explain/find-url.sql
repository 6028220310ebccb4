-- What is known about the URL with hash $2 of domain $1, and how many due URLs of its domain come before it
-- (counted up to ten thousand).
-- Relies on: the primary key of urls, urls_frontier.
select u.url, u.state::text as state, u.depth, u.priority, u.is_seed as seed, u.is_image as image, u.http_status as status,
       u.last_outcome as outcome, u.error_count as errors, u.discovered_at as "discoveredAt",
       u.last_crawled_at as "lastCrawledAt", u.retry_at as "retryAt", u.next_crawl_at as "nextCrawlAt",
       coalesce(u.retry_at > forager_now(), false) as "isWaiting",
       (select count(*)::int
          from (select from urls o
                 where o.domain_id = u.domain_id and o.state = 'never_crawled' and o.retry_at is null
                   and (-o.priority, o.depth, o.discovered_at) < (-u.priority, u.depth, u.discovered_at)
                 limit 10000) as before) as ahead
  from urls u where u.domain_id = $1 and u.url_hash = $2
