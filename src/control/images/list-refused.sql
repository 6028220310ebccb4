-- What was not kept although it was said to be an image, the last fetched first, at most $4: before the moment $1 of URL $3
-- of domain $2 (null: from the first on), refused as $5 (null: for any reason), served by domain $6 (null: any).
-- Relies on: image_urls_refused, the primary key of domains.
select u.url, d.domain, u.refused_code as code, u.refused_reason as reason, u.fetched_at as "fetchedAt",
       u.image_id as "imageId", u.domain_id as "domainId", encode(u.url_hash, 'hex') as "urlHash",
       to_char(u.fetched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursorMoment"
  from image_urls u
  join domains d on d.id = u.domain_id
 where u.refused_code is not null
   and ($1::timestamptz is null or (u.fetched_at, u.domain_id, u.url_hash) < ($1, $2::bigint, $3::bytea))
   and ($5::text is null or u.refused_code = $5)
   and ($6::bigint is null or u.domain_id = $6)
 order by u.fetched_at desc, u.domain_id desc, u.url_hash desc
 limit $4
