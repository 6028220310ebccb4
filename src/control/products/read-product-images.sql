-- The images of product $1 in their order, and what was found where they are said to be. An image is known by its address,
-- or by its place where the address was written otherwise.
-- Relies on: image_provenance_product, the primary keys of products, image_urls and images, the unique index of domains.
select i.url, s.alt, m.id as "imageId", m.content_type as "contentType", m.byte_count as bytes, m.width, m.height,
       m.thumbnail_type is not null as "hasThumbnail", u.refused_code as "refusedCode",
       u.refused_reason as "refusedReason", u.fetched_at as "fetchedAt"
  from products p
 cross join lateral unnest(p.image_urls) with ordinality as i (url, place)
  left join lateral (
    select s.alt, s.image_domain, s.image_url_hash
      from image_provenance s
     where s.product_id = p.id
       and (s.image_url = i.url or (s.position = i.place - 1 and s.kind <> 'page'))
     order by (s.image_url = i.url) desc, s.last_seen_at desc
     limit 1
  ) as s on true
  left join domains d on d.domain = s.image_domain
  left join image_urls u on u.domain_id = d.id and u.url_hash = s.image_url_hash
  left join images m on m.id = u.image_id
 where p.id = $1
 order by i.place
