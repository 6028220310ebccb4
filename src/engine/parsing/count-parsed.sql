-- What pages that were parsed apart from their fetch add to their domains: URLs that were ordered and not known,
-- pages, images and products not known before. A domain that rests until its pages are to be read again hears of the new ones;
-- when, was reckoned by the clock of a machine that takes it for $7 now.
-- Relies on: the primary key of domains. They are locked already.
update domains d
   set pages_discovered = d.pages_discovered + v.discovered,
       pages_crawled = d.pages_crawled + v.pages,
       images_found = d.images_found + v.images,
       products_found = d.products_found + v.products,
       crawl_depth_reached = greatest(d.crawl_depth_reached, v.depth),
       next_crawl_after = case
         when d.status = 'exhausted' and d.is_explored then least(d.next_crawl_after, v.next_reading + (forager_now() - $7::timestamptz))
         else d.next_crawl_after end,
       updated_at = forager_now()
  from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::timestamptz[],
              $8::int[])
       as v (id, discovered, pages, images, depth, next_reading, products)
 where d.id = v.id
