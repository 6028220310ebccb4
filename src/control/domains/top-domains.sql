-- The $2 domains that come first by $1 (score, yield, products, pages, images, errors), and what they yield.
-- Those by score are the ones that have one: blocked and unreachable domains are left out; those by anything
-- else are the ones that were visited.
-- Relies on: nothing: reads every domain.
select d.domain, d.status::text as status, p.score, d.pages_crawled as "pagesCrawled",
       d.pages_discovered as "pagesDiscovered",
       greatest(d.pages_discovered - d.pages_crawled, 0) as "pagesRemaining",
       d.images_found as "imagesFound", d.images_stored as "imagesStored", d.products_found as "productsFound",
       p.image_yield_rate as "imageYield", p.product_yield_rate as "productYield",
       p.avg_images_per_page as "imagesPerPage",
       d.pages_discovered::float8 / nullif(d.pages_crawled, 0) as "urlsPerPage",
       p.error_rate as "errorRate", d.crawl_depth_reached as depth, d.last_crawled_at as "lastCrawledAt"
  from domains d join domain_priorities p on p.id = d.id
 where case $1::text when 'score' then d.status not in ('blocked', 'unreachable')
                     when 'errors' then d.total_error_count > 0
                     else d.pages_crawled > 0 end
 order by case $1::text when 'score' then p.score
                        when 'yield' then p.image_yield_rate
                        when 'products' then p.product_yield_rate
                        when 'pages' then d.pages_crawled
                        when 'images' then d.images_found
                        when 'errors' then p.error_rate end desc nulls last,
          d.pages_crawled desc, d.images_found desc, d.domain
 limit $2
