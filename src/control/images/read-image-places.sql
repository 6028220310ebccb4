-- Where image $1 was seen, at most $2 places, the last seen first.
-- Relies on: image_urls_image, image_provenance_image, the primary keys of domains and urls.
select w.url as "pageUrl", d.domain as "pageDomain", p.product_id as "productId", p.image_url as "imageUrl", p.position,
       p.alt, p.kind, p.discovery_type as "discoveryType", p.first_seen_at as "firstSeenAt",
       p.last_seen_at as "lastSeenAt"
  from (select p.* from image_provenance p
         where p.image_url_hash in (select u.url_hash from image_urls u where u.image_id = $1)
         order by p.last_seen_at desc, p.page_domain_id, p.page_url_hash
         limit $2) as p
  join domains d on d.id = p.page_domain_id
  left join urls w on w.domain_id = p.page_domain_id and w.url_hash = p.page_url_hash
 order by p.last_seen_at desc, p.page_domain_id, p.page_url_hash
