-- Adds the URLs that are not known yet and returns them. The order of arrival is kept in discovered_at, so
-- that the frontier is first in, first out within a priority and depth.
-- Relies on: the primary key of urls.
insert into urls (domain_id, url_hash, url, depth, priority, is_seed, redirect_count, is_image,
                  discovered_at)
select v.domain_id, v.url_hash, v.url, v.depth, v.priority, v.is_seed, v.redirect_count, v.is_image,
       clock_timestamp()
  from unnest($1::bigint[], $2::bytea[], $3::text[], $4::smallint[], $5::smallint[], $6::boolean[],
              $7::smallint[], $8::boolean[])
       as v (domain_id, url_hash, url, depth, priority, is_seed, redirect_count, is_image)
on conflict (domain_id, url_hash) do nothing
returning domain_id, url_hash
