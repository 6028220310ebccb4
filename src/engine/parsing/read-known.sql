-- What is known of URLs $2 of domains $1, and of the pages that were read from them.
-- Relies on: the primary keys of urls and pages.
select v.domain_id, v.url_hash, u.url_hash is not null as is_known, coalesce(u.depth, 0)::smallint as depth,
       coalesce(u.priority, 3)::smallint as priority, coalesce(u.is_seed, false) as is_seed,
       coalesce(u.redirect_count, 0)::smallint as redirect_count, coalesce(u.error_count, 0)::smallint as error_count,
       u.etag, u.last_modified, -- one that was fetched and left to us has not been read
       case when u.content_hash is null then 'never_crawled' else u.state::text end as state, u.content_hash, u.refresh_seconds,
       coalesce(u.miss_count, 0)::smallint as miss_count, greatest(u.last_crawled_at, p.crawled_at) as seen_at,
       p.segment_id, p.segment_offset
  from unnest($1::bigint[], $2::bytea[]) as v (domain_id, url_hash)
  left join urls u on u.domain_id = v.domain_id and u.url_hash = v.url_hash
  left join pages p on p.domain_id = v.domain_id and p.url_hash = v.url_hash
