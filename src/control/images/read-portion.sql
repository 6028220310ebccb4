-- The next $5 places where images were seen after ($1, $2, $3), on pages of domains $4 (null: of any), with the images.
-- Read portion by portion, so that no transaction is held open while the rows are dealt with.
-- Relies on: the primary key of image_provenance, image_urls_hash, the primary keys of images, domains and urls.
select p.page_domain_id as "domainId", p.page_url_hash as "pageHash", p.image_url_hash as "imageHash",
       i.id, p.image_url as url, i.content_type as "contentType", i.byte_count as "byteCount", i.width, i.height,
       encode(i.content_hash, 'hex') as "contentHash", u.refused_code as refused, w.url as "pageUrl",
       d.domain as "pageDomain", p.product_id as "productId", p.kind, p.position, p.alt,
       p.discovery_type as "discoveryType", p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt"
  from (select p.* from image_provenance p
         where (p.page_domain_id, p.page_url_hash, p.image_url_hash) > ($1::bigint, $2::bytea, $3::bytea)
           and ($4::bigint[] is null or p.page_domain_id = any($4))
         order by p.page_domain_id, p.page_url_hash, p.image_url_hash
         limit $5) as p
  join domains d on d.id = p.page_domain_id
  left join lateral (select u.image_id, u.refused_code from image_urls u
                      where u.url_hash = p.image_url_hash limit 1) as u on true
  left join images i on i.id = u.image_id
  left join urls w on w.domain_id = p.page_domain_id and w.url_hash = p.page_url_hash
 order by p.page_domain_id, p.page_url_hash, p.image_url_hash
