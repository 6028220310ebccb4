-- URLs that were asked for as pages, and turned out to be none, are said to be images: they are due as such.
-- Relies on: the primary key of urls. Their domains are locked already.
update urls u
   set is_image = true, state = 'never_crawled', priority = v.priority, retry_at = null, next_crawl_at = null,
       etag = null, last_modified = null
  from unnest($1::bigint[], $2::bytea[], $3::smallint[]) as v (domain_id, url_hash, priority)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash and not u.is_image and u.state = 'fetched'
   and u.last_outcome = 'unwanted-type'
returning u.domain_id, u.url_hash
