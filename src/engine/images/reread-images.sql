-- Images found unchanged that are not here any more: they are due, and asked for as if nothing were known.
-- Relies on: the primary keys of urls and image_urls. Their domains are locked already.
update urls u
   set etag = null, last_modified = null, content_hash = null, next_crawl_at = forager_now()
  from unnest($1::bigint[], $2::bytea[]) as v (domain_id, url_hash)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash
   and not exists (select from image_urls i
                    where i.domain_id = v.domain_id and i.url_hash = v.url_hash and i.image_id is not null)
