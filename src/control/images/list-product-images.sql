-- Images of product $6, the newest first, before id $1 (null: from the first on), at most $2: of type $3, at least $4 wide
-- and $5 high. Null means: any.
-- Relies on: image_provenance_product, image_urls_hash, the primary key of images. A product has a few dozen.
select i.id, i.content_type as "contentType", i.byte_count as "byteCount", i.width, i.height,
       i.thumbnail_type is not null as "hasThumbnail", encode(i.content_hash, 'hex') as "contentHash",
       i.first_seen_at as "firstSeenAt", i.last_seen_at as "lastSeenAt",
       (select u.url from image_urls u where u.image_id = i.id limit 1) as url
  from images i
 where i.id in (select u.image_id from image_provenance p join image_urls u on u.url_hash = p.image_url_hash
                 where p.product_id = $6)
   and ($1::bigint is null or i.id < $1)
   and ($3::text is null or i.content_type = $3)
   and ($4::int is null or i.width >= $4)
   and ($5::int is null or i.height >= $5)
 order by i.id desc
 limit $2
