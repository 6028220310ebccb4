-- Of the next $2 images after id $1, deletes those that no known page shows any more and that nobody has fetched for $3
-- hours. Tells how far it has looked (an id without a hash) and what was deleted.
-- Relies on: the primary key of images, image_urls_image, image_provenance_image.
with portion as materialized (
  select i.id from images i where i.id > $1 order by i.id limit $2
), gone as (
  delete from images i
   using portion p
   where i.id = p.id
     and i.last_seen_at < forager_now() - $3::float8 * interval '1 hour'
     and not exists (select from image_urls u join image_provenance v on v.image_url_hash = u.url_hash
                      where u.image_id = i.id)
  returning i.content_hash
)
select (select max(p.id) from portion p) as "lastId",
       coalesce((select array_agg(g.content_hash) from gone g), '{}') as hashes
