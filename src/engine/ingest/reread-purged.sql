-- Pages found unchanged that somebody has purged while they were asked for: what was said of them was said about a
-- page that is not here any more. They are due, and asked for as if nothing were known.
-- Relies on: the primary keys of urls and pages.
update urls u
   set etag = null, last_modified = null, content_hash = null, simhash = null, next_crawl_at = forager_now()
  from unnest($1::bigint[], $2::bytea[]) as v (domain_id, url_hash)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash
   and not exists (select from pages p where p.domain_id = v.domain_id and p.url_hash = v.url_hash)
