-- Images on pages of domain $6 in the order of the hashes of their addresses, after $1 (null: from the first on), at most
-- $2: of type $3, at least $4 wide and $5 high. Null means: any. One that has several addresses comes with the first.
-- Relies on: image_provenance_counted (a row for each address), image_urls_hash, image_urls_image, the key of images.
select i.id, i.content_type as "contentType", i.byte_count as "byteCount", i.width, i.height,
       i.thumbnail_type is not null as "hasThumbnail", encode(i.content_hash, 'hex') as "contentHash",
       i.first_seen_at as "firstSeenAt", i.last_seen_at as "lastSeenAt",
       u.url, encode(c.image_url_hash, 'hex') as "urlHash"
  from image_provenance c
  join image_urls u on u.url_hash = c.image_url_hash
  join images i on i.id = u.image_id
 where c.page_domain_id = $6 and c.is_counted
   and ($1::bytea is null or c.image_url_hash > $1)
   and ($3::text is null or i.content_type = $3)
   and ($4::int is null or i.width >= $4)
   and ($5::int is null or i.height >= $5)
   and not exists (select from image_urls w
                     join image_provenance o on o.page_domain_id = $6 and o.image_url_hash = w.url_hash and o.is_counted
                    where w.image_id = i.id and w.url_hash < c.image_url_hash)
 order by c.image_url_hash
 limit $2
