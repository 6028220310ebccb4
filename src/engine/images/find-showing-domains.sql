-- The domains on whose pages the images at $1 were seen.
-- Relies on: image_provenance_image.
select distinct p.page_domain_id as domain_id, p.image_url_hash as url_hash
  from unnest($1::bytea[]) as v (url_hash)
  join image_provenance p on p.image_url_hash = v.url_hash
