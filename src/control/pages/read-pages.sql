-- The next $6 pages after page id $1, in the order in which they were first read: of domains $2, of the domains
-- of run $3, with HTTP status $4, with a title like $5, gone or not as $7 says. Null means: any.
-- Read portion by portion, so that no transaction is held open while the rows are dealt with.
-- Relies on: pages_id; for a small domain in a large table, the primary key of pages.
select p.id, p.url, d.domain, p.http_status as status, p.title, p.description,
       p.canonical_url as "canonicalUrl", p.language, p.content_type as "contentType", p.charset,
       p.content_length as "contentLength", p.transfer_length as "transferLength",
       encode(p.content_hash, 'hex') as "contentHash", lpad(to_hex(p.simhash), 16, '0') as simhash,
       p.text_length as "textLength", p.links_count as links, p.images_count as images, p.depth,
       p.crawled_at as "crawledAt", p.first_crawled_at as "firstCrawledAt",
       p.crawl_duration_ms as "durationMs", p.is_noindex as noindex, p.is_nofollow as nofollow,
       p.changed_at as "changedAt", p.missing_since as "missingSince", p.gone_at as "goneAt",
       p.run_id as run, s.name as segment, p.segment_offset as "segmentOffset",
       p.segment_length as "segmentLength"
  from pages p
  join domains d on d.id = p.domain_id
  left join warc_segments s on s.id = p.segment_id
 where p.id > $1
   and ($2::bigint[] is null or p.domain_id = any($2))
   and ($3::bigint is null
        or exists (select from crawl_run_domains m where m.run_id = $3 and m.domain_id = p.domain_id))
   and ($4::smallint is null or p.http_status = $4)
   and ($5::text is null or p.title ilike $5)
   and ($7::boolean is null or (p.gone_at is not null) = $7)
 order by p.id
 limit $6
