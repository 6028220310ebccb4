-- Images, the newest first, before id $1 (null: from the first on), at most $2: of type $3, at least $4 wide and $5 high.
-- Null means: any.
-- Relies on: the primary key of images; image_urls_image. The rows are chosen first, and only those get an address.
select i.id, i.content_type as "contentType", i.byte_count as "byteCount", i.width, i.height,
       i.thumbnail_type is not null as "hasThumbnail", encode(i.content_hash, 'hex') as "contentHash",
       i.first_seen_at as "firstSeenAt", i.last_seen_at as "lastSeenAt",
       (select u.url from image_urls u where u.image_id = i.id limit 1) as url
  from (select i.* from images i
         where ($1::bigint is null or i.id < $1)
           and ($3::text is null or i.content_type = $3)
           and ($4::int is null or i.width >= $4)
           and ($5::int is null or i.height >= $5)
         order by i.id desc
         limit $2) as i
 order by i.id desc
