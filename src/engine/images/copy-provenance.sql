-- Images that have moved: where the one was seen, the other is.
-- Relies on: image_provenance_image and the primary key of image_provenance.
insert into image_provenance (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, product_id,
                              position, alt, kind, discovery_type, first_seen_at, last_seen_at)
select p.page_domain_id, p.page_url_hash, v.to_hash, v.to_domain, v.to_url, p.product_id, p.position, p.alt, p.kind,
       p.discovery_type, p.first_seen_at, p.last_seen_at
  from unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[]) as v (from_hash, to_hash, to_domain, to_url)
  join image_provenance p on p.image_url_hash = v.from_hash
 order by p.page_domain_id, p.page_url_hash
on conflict (page_domain_id, page_url_hash, image_url_hash) do nothing
