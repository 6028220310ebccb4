-- Counters and lease renewal of the domains a batch was about, held by worker $1 for another $2 ms.
-- pages and images are those not known before: pages_crawled is how many pages there are.
-- Columns that are part of an index change only now and then, so that most of these updates touch no index:
-- leases are renewed when a fifth of them has passed, the time of the last visit is kept to the minute.
-- consecutive_errors is the count after the batch: a success in it has reset the counter.
-- The end of a rest was reckoned by the clock of a machine that takes it for $11 now.
-- Relies on: the primary key of domains.
update domains d
   set claim_expires_at = case
         when d.claim_expires_at < forager_now() + $2::float8 * interval '0.8 millisecond'
           then forager_now() + $2::float8 * interval '1 millisecond'
         else d.claim_expires_at end,
       pages_discovered = d.pages_discovered + v.discovered,
       pages_crawled = d.pages_crawled + v.pages,
       images_found = d.images_found + v.images,
       products_found = d.products_found + v.products,
       total_error_count = d.total_error_count + v.errors,
       consecutive_error_count = v.consecutive_errors,
       crawl_depth_reached = greatest(d.crawl_depth_reached, v.depth),
       next_crawl_after = greatest(d.next_crawl_after, v.resting_until + (forager_now() - $11::timestamptz)),
       last_crawled_at = greatest(d.last_crawled_at, date_trunc('minute', forager_now())),
       updated_at = forager_now()
  from unnest($3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[],
              $10::timestamptz[], $12::int[])
       as v (id, discovered, pages, images, errors, consecutive_errors, depth, resting_until, products)
 where d.id = v.id and d.claimed_by is not distinct from $1
