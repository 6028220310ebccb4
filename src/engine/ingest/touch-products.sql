-- Pages that were found unchanged at $3 have the products they had.
-- Relies on: the unique index of products. Their domains are locked already.
update products p
   set last_seen_at = greatest(p.last_seen_at, least(v.seen_at, forager_now()))
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) as v (domain_id, url_hash, seen_at)
 where p.domain_id = v.domain_id and p.url_hash = v.url_hash and p.missing_since is null and p.parser_name is not null
