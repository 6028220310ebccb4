-- The $1 domains with the most pages, and what a page of theirs yields.
-- Relies on: nothing: reads every domain.
select d.domain, d.status::text as status, d.pages_crawled as "pagesCrawled",
       d.pages_discovered as "pagesDiscovered", d.images_found as "imagesFound",
       d.images_found::float8 / nullif(d.pages_crawled, 0) as "imagesPerPage",
       d.pages_discovered::float8 / nullif(d.pages_crawled, 0) as "urlsPerPage",
       d.total_error_count::float8 / nullif(d.pages_crawled + d.total_error_count, 0) as "errorRate",
       d.crawl_depth_reached as depth, d.last_crawled_at as "lastCrawledAt"
  from domains d
 where d.pages_crawled > 0
 order by d.pages_crawled desc, d.images_found desc, d.domain
 limit $1
