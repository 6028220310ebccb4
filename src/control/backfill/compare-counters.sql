-- Of domains $1, those whose counters are not what the tables say, with both; leased ones are their worker's.
-- Discovered, crawled, images and depth are what is in urls (without images) and pages. Errors ($2 names the outcomes that count)
-- are in the log alone, since the last reset, which forgave them: where the log, complete since $3, reaches back
-- that far it decides; where days of it were dropped, the counter is never lowered. A first moment is only ever
-- moved back, a last one only forward: both may know of what left no row.
-- Relies on: the primary keys of domains, urls and pages, crawl_log_url, domain_events_domain.
with resets as (
  select domain_id, max(at) as at from domain_events
   where domain_id = any($1::bigint[]) and code = 'reset' group by domain_id
), of_urls as (
  select domain_id, count(*) filter (where not is_image) as urls, min(discovered_at) as first_at
    from urls where domain_id = any($1::bigint[]) group by domain_id
), of_pages as (
  select domain_id, count(*) as pages, sum(images_count) as images, max(depth) as depth,
         min(first_crawled_at) as first_at, max(crawled_at) as last_at
    from pages where domain_id = any($1::bigint[]) group by domain_id
), of_log as (
  select l.domain_id,
         count(*) filter (where l.outcome = any($2::text[]) and (r.at is null or l.fetched_at >= r.at)) as errors,
         min(l.fetched_at) as first_at, max(l.fetched_at) as last_at
    from crawl_log l left join resets r on r.domain_id = l.domain_id
   where l.domain_id = any($1::bigint[]) group by l.domain_id
), times as (
  select d.*, r.at as reset_at, u.urls, p.pages, p.images, p.depth, l.errors,
         least(d.first_seen_at, u.first_at, p.first_at, l.first_at) as first_at,
         greatest(d.last_crawled_at, p.last_at, l.last_at) as last_at
    from domains d
    left join resets r on r.domain_id = d.id
    left join of_urls u on u.domain_id = d.id
    left join of_pages p on p.domain_id = d.id
    left join of_log l on l.domain_id = d.id
   where d.id = any($1::bigint[])
     and not coalesce(d.claimed_by is not null and d.claim_expires_at > forager_now(), false)
), said as (
  select id, domain, pages_discovered, pages_crawled, images_found, crawl_depth_reached, total_error_count,
         first_seen_at, last_crawled_at, first_at, last_at,
         coalesce(urls, 0) as urls, coalesce(pages, 0) as pages, coalesce(images, 0) as images,
         coalesce(depth, 0) as depth,
         case when greatest(first_at, reset_at) >= $3::timestamptz then coalesce(errors, 0)
              else greatest(total_error_count, coalesce(errors, 0)) end as errors
    from times
)
select id, domain,
       pages_discovered as "pagesDiscoveredBefore", urls as "pagesDiscovered",
       pages_crawled as "pagesCrawledBefore", pages as "pagesCrawled",
       images_found as "imagesFoundBefore", images as "imagesFound",
       crawl_depth_reached as "depthBefore", depth,
       total_error_count as "errorsBefore", errors,
       first_seen_at::text as "firstSeenAtBefore", first_at::text as "firstSeenAt",
       last_crawled_at::text as "lastCrawledAtBefore", last_at::text as "lastCrawledAt"
  from said
 where (pages_discovered, pages_crawled, images_found, crawl_depth_reached, total_error_count, first_seen_at)
       is distinct from (urls, pages, images, depth, errors, first_at)
    or last_crawled_at is distinct from last_at
 order by id
