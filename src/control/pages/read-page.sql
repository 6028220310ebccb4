-- The page with id $1, with where its body lies and when its URL is read again.
-- Relies on: pages_id; the primary keys of domains, warc_segments and urls.
select p.id, p.url, d.domain, p.http_status as status, p.title, p.description,
       p.canonical_url as "canonicalUrl", p.language, p.content_type as "contentType", p.charset,
       p.content_length as "contentLength", p.transfer_length as "transferLength",
       encode(p.content_hash, 'hex') as "contentHash", lpad(to_hex(p.simhash), 16, '0') as simhash,
       p.text_length as "textLength", p.links_count as links, p.images_count as images, p.depth,
       p.crawled_at as "crawledAt", p.first_crawled_at as "firstCrawledAt",
       p.crawl_duration_ms as "durationMs", p.is_noindex as noindex, p.is_nofollow as nofollow,
       p.changed_at as "changedAt", p.missing_since as "missingSince", p.gone_at as "goneAt",
       p.run_id as run, s.name as segment, p.segment_offset as "segmentOffset",
       p.segment_length as "segmentLength", p.domain_id as "domainId", p.url_hash as "urlHash",
       u.state::text as "urlState", u.next_crawl_at as "nextCrawlAt", u.last_crawled_at as "lastVisitAt",
       u.last_outcome as "lastOutcome", u.refresh_seconds as "refreshSeconds", u.visits_count as visits,
       u.changes_count as changes, u.miss_count as misses, u.etag, u.last_modified as "lastModified"
  from pages p
  join domains d on d.id = p.domain_id
  left join warc_segments s on s.id = p.segment_id
  left join urls u on u.domain_id = p.domain_id and u.url_hash = p.url_hash
 where p.id = $1
