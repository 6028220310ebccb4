-- Where image $1 lies, at most $2 addresses, the last fetched first.
-- Relies on: image_urls_image, the primary key of domains.
select u.url, d.domain, u.fetched_at as "fetchedAt", u.refused_code as "refusedCode"
  from image_urls u
  join domains d on d.id = u.domain_id
 where u.image_id = $1
 order by u.fetched_at desc, u.url
 limit $2
