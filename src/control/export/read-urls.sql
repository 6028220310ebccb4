-- The next $5 URLs after ($1, $2) of domains $3, or of the domains of run $4; null means: any.
-- Read portion by portion, so that no transaction is held open while the rows are dealt with.
-- Relies on: the primary key of urls.
select u.domain_id as "domainId", u.url_hash as "urlHash", u.url, d.domain, u.state::text as state, u.depth,
       u.priority, u.is_seed as seed, u.http_status as status, u.last_outcome as outcome,
       u.error_count as errors, u.discovered_at as "discoveredAt", u.last_crawled_at as "lastCrawledAt",
       u.retry_at as "retryAt", u.next_crawl_at as "nextCrawlAt", u.etag, u.last_modified as "lastModified",
       encode(u.content_hash, 'hex') as "contentHash", lpad(to_hex(u.simhash), 16, '0') as simhash
  from urls u
  join domains d on d.id = u.domain_id
 where (u.domain_id, u.url_hash) > ($1::bigint, $2::bytea)
   and ($3::bigint[] is null or u.domain_id = any($3))
   and ($4::bigint is null
        or exists (select from crawl_run_domains m where m.run_id = $4 and m.domain_id = u.domain_id))
 order by u.domain_id, u.url_hash
 limit $5
