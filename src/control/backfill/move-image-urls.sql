-- Moves what was found at addresses of images from domains $1 (only those of host $2, where it is not null) to domains
-- $3. Where both know an address, what was found last stays.
-- Relies on: the primary key of image_urls.
with moved as (
  delete from image_urls u
   using unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
   where u.domain_id = m.from_id and (m.host is null or m.host = split_part(u.url, '/', 3))
  returning m.to_id, u.*
)
insert into image_urls (domain_id, url_hash, url, image_id, refused_code, refused_reason, fetched_at)
select distinct on (to_id, url_hash) to_id, url_hash, url, image_id, refused_code, refused_reason, fetched_at
  from moved
 order by to_id, url_hash, fetched_at desc
on conflict (domain_id, url_hash) do update
   set url = excluded.url, image_id = excluded.image_id, refused_code = excluded.refused_code,
       refused_reason = excluded.refused_reason, fetched_at = excluded.fetched_at
 where excluded.fetched_at > image_urls.fetched_at
