-- URLs that were taken for images, and were not asked for yet or turned out to be none, are pages somebody links to or has
-- named: they are due as such.
-- Relies on: the primary key of urls. Their domains are locked already.
update urls u
   set is_image = false, state = 'never_crawled', priority = v.priority, depth = least(u.depth, v.depth),
       is_seed = u.is_seed or v.is_seed, error_count = 0, retry_at = null, next_crawl_at = null,
       etag = null, last_modified = null
  from unnest($1::bigint[], $2::bytea[], $3::smallint[], $4::smallint[], $5::boolean[])
       as v (domain_id, url_hash, priority, depth, is_seed)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash and u.is_image
   and (u.state = 'never_crawled' or u.last_outcome = 'image-refused')
returning u.domain_id, u.url_hash
