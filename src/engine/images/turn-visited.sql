-- URLs that were just asked for as pages, and are none, but pages show them as images: they are due as such.
-- Relies on: the primary key of urls; image_provenance_image. Their domains are locked already.
update urls u
   set is_image = true, state = 'never_crawled', priority = 3, retry_at = null, next_crawl_at = null,
       etag = null, last_modified = null
  from unnest($1::bigint[], $2::bytea[]) as v (domain_id, url_hash)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash and not u.is_image and u.state = 'fetched'
   and exists (select from image_provenance p where p.image_url_hash = v.url_hash)
returning u.domain_id
