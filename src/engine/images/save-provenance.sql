-- Where images were seen. Tells which are not counted for their page's domain: they are new, or nobody got to it.
-- Relies on: the primary key of image_provenance. The pages' domains are locked already.
insert into image_provenance as p (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, product_id,
                                   position, alt, kind, discovery_type, first_seen_at, last_seen_at)
select v.page_domain_id, v.page_url_hash, v.image_url_hash, v.image_domain, v.image_url, v.product_id, v.position,
       v.alt, v.kind, v.discovery_type, v.seen_at, v.seen_at
  from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::bigint[], $7::int[], $8::text[],
              $9::text[], $10::text[], $11::timestamptz[])
       as v (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, product_id, position, alt, kind,
             discovery_type, seen_at)
on conflict (page_domain_id, page_url_hash, image_url_hash) do update
   set image_url = excluded.image_url, product_id = coalesce(excluded.product_id, p.product_id),
       position = excluded.position, alt = coalesce(excluded.alt, p.alt), kind = excluded.kind,
       last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)
returning p.page_domain_id, p.image_url_hash, p.is_counted
