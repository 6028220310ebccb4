-- URLs that were fetched for tasks and are left to parsers: the frontier does not ask for them meanwhile. What they are
-- is written when they are parsed.
-- Relies on: the primary key of urls.
update urls u
   set state = 'fetched', last_outcome = 'page', http_status = v.http_status, last_crawled_at = v.fetched_at,
       retry_at = null, next_crawl_at = forager_now() + interval '1 day'
  from unnest($1::bigint[], $2::bytea[], $3::smallint[], $4::timestamptz[])
       as v (domain_id, url_hash, http_status, fetched_at)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash and u.state = 'never_crawled'
