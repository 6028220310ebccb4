-- Images that were found unchanged at $3 were seen again. Whoever holds the row of one is about to say the same of it.
-- Relies on: the primary keys of image_urls and images. Their domains are locked already.
with seen as (
  update image_urls u set fetched_at = v.seen_at
    from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) as v (domain_id, url_hash, seen_at)
   where u.domain_id = v.domain_id and u.url_hash = v.url_hash
  returning u.image_id, u.fetched_at
), free as (
  select i.id from images i where i.id in (select s.image_id from seen s) for update skip locked
)
update images i set last_seen_at = greatest(i.last_seen_at, s.fetched_at)
  from seen s
  join free f on f.id = s.image_id
 where i.id = f.id
