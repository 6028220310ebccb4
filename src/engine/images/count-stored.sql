-- Adds to the stored images of domains $1 those at $2 that are stored and were not counted for them before. A mark on one
-- of the places where an image was seen says that it was. The domains are locked already, so each is counted once.
-- Relies on: image_provenance_image, image_provenance_counted, image_urls_hash; the primary key of domains.
with pairs as (
  select distinct v.domain_id, v.url_hash from unnest($1::bigint[], $2::bytea[]) as v (domain_id, url_hash)
), due as (
  select p.domain_id, p.url_hash, f.page_url_hash
    from pairs p
   cross join lateral (select q.page_url_hash from image_provenance q
                        where q.image_url_hash = p.url_hash and q.page_domain_id = p.domain_id
                        limit 1) as f
   where exists (select from image_urls u where u.url_hash = p.url_hash and u.image_id is not null)
     and not exists (select from image_provenance c
                      where c.page_domain_id = p.domain_id and c.image_url_hash = p.url_hash and c.is_counted)
), marked as (
  update image_provenance m set is_counted = true
    from due
   where m.page_domain_id = due.domain_id and m.page_url_hash = due.page_url_hash
     and m.image_url_hash = due.url_hash
)
update domains d set images_stored = d.images_stored + g.stored_count
  from (select due.domain_id, count(*)::int as stored_count from due group by due.domain_id) as g
 where d.id = g.domain_id
