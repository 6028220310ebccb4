-- Writes the counters of domains locked by this transaction.
-- Relies on: the primary key of domains.
update domains d
   set pages_discovered = v.pages_discovered, pages_crawled = v.pages_crawled, images_found = v.images_found,
       crawl_depth_reached = v.depth, total_error_count = v.errors, first_seen_at = v.first_seen_at,
       last_crawled_at = v.last_crawled_at, updated_at = forager_now()
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::bigint[],
              $7::timestamptz[], $8::timestamptz[])
       as v (id, pages_discovered, pages_crawled, images_found, depth, errors, first_seen_at, last_crawled_at)
 where d.id = v.id
