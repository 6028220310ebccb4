-- Pages $1, $2 were found unchanged at $3: what they showed when they were last seen, they show. What they had stopped
-- showing by then was seen before that. The pages' own rows are still as their last visit has left them.
-- Relies on: the primary keys of pages and image_provenance. The pages' domains are locked already.
update image_provenance p
   set last_seen_at = v.seen_at
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) as v (domain_id, url_hash, seen_at)
  join pages w on w.domain_id = v.domain_id and w.url_hash = v.url_hash
 where p.page_domain_id = v.domain_id and p.page_url_hash = v.url_hash
   and p.last_seen_at >= w.crawled_at and p.last_seen_at < v.seen_at
