-- Image $1.
-- Relies on: the primary key of images; image_urls_image.
select i.id, i.content_type as "contentType", i.byte_count as "byteCount", i.width, i.height,
       i.thumbnail_type is not null as "hasThumbnail", encode(i.content_hash, 'hex') as "contentHash",
       i.first_seen_at as "firstSeenAt", i.last_seen_at as "lastSeenAt",
       (select u.url from image_urls u where u.image_id = i.id limit 1) as url
  from images i
 where i.id = $1
