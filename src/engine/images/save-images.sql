-- One row for each distinct content; one that is known was seen again. In the order of the hashes, so that two workers
-- with the same images wait for each other in line, not in a circle.
-- Relies on: the unique index of images.
insert into images (content_hash, content_type, byte_count, width, height, thumbnail_type, first_seen_at, last_seen_at)
select v.content_hash, v.content_type, v.byte_count, v.width, v.height, v.thumbnail_type, v.seen_at, v.seen_at
  from unnest($1::bytea[], $2::text[], $3::int[], $4::int[], $5::int[], $6::text[], $7::timestamptz[])
       as v (content_hash, content_type, byte_count, width, height, thumbnail_type, seen_at)
 order by v.content_hash
on conflict (content_hash) do update
   set last_seen_at = greatest(images.last_seen_at, excluded.last_seen_at),
       thumbnail_type = coalesce(excluded.thumbnail_type, images.thumbnail_type)
returning id, content_hash
