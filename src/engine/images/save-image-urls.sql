-- What was found where images were said to be. One that was good, and is refused now, is still what it was: a server may
-- have had a bad moment.
-- Relies on: the primary key of image_urls. Their domains are locked already.
insert into image_urls (domain_id, url_hash, url, image_id, refused_code, refused_reason, fetched_at)
select v.domain_id, v.url_hash, v.url, v.image_id, v.refused_code, v.refused_reason, v.fetched_at
  from unnest($1::bigint[], $2::bytea[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[])
       as v (domain_id, url_hash, url, image_id, refused_code, refused_reason, fetched_at)
on conflict (domain_id, url_hash) do update
   set url = excluded.url, image_id = coalesce(excluded.image_id, image_urls.image_id),
       refused_code = excluded.refused_code, refused_reason = excluded.refused_reason,
       fetched_at = excluded.fetched_at
