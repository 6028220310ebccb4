-- Pages found unchanged were seen again, and are not missing.
-- Relies on: the primary key of pages.
update pages p
   set crawled_at = v.crawled_at, missing_since = null, gone_at = null
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) as v (domain_id, url_hash, crawled_at)
 where p.domain_id = v.domain_id and p.url_hash = v.url_hash
