-- The page with id $1, or the one known by hash $3 in domain $2.
-- Relies on: pages_id; the primary key of pages.
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
 where p.id = $1
    or (p.domain_id = (select id from domains where domain = $2) and p.url_hash = $3)
 limit 1
