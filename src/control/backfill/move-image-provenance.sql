-- Moves the places of images on pages of domains $1 (only of host $2, where it is not null) to domains $3, after the
-- pages themselves. Where both know a place, it was first seen at the earlier and last at the later time.
-- Relies on: the primary keys of image_provenance and pages.
with moved as (
  delete from image_provenance s
   using unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
   where s.page_domain_id = m.from_id
     and (m.host is null
          or exists (select from pages p where p.domain_id = m.to_id and p.url_hash = s.page_url_hash
                                           and split_part(p.url, '/', 3) = m.host))
  returning m.to_id, s.*
)
insert into image_provenance (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, product_id,
                              position, alt, kind, discovery_type, first_seen_at, last_seen_at, is_counted)
select distinct on (to_id, page_url_hash, image_url_hash)
       to_id, page_url_hash, image_url_hash, image_domain, image_url, product_id, position, alt, kind, discovery_type,
       first_seen_at, last_seen_at, is_counted
  from moved
 order by to_id, page_url_hash, image_url_hash, last_seen_at desc
on conflict (page_domain_id, page_url_hash, image_url_hash) do update
   set first_seen_at = least(image_provenance.first_seen_at, excluded.first_seen_at),
       last_seen_at = greatest(image_provenance.last_seen_at, excluded.last_seen_at),
       product_id = coalesce(image_provenance.product_id, excluded.product_id),
       is_counted = image_provenance.is_counted or excluded.is_counted
