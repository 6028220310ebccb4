-- Pages of all domains in the order of their ids, the oldest first, after id $1 (null: from the first on), at most $2:
-- with an HTTP status from $3 to $4, a title like $5, language $6 (en is also en-GB), a content type like $7, gone or not as
-- $8 says, changed since $9, last read from $10 until $11, last read by run $12. Null means: any.
-- Relies on: pages_id, the primary key of domains. The rows are chosen first, and only those get their domain's name.
select p.id, p.url, (select d.domain from domains d where d.id = p.domain_id) as domain,
       p.http_status as status, p.title, p.description,
       p.canonical_url as "canonicalUrl", p.language, p.content_type as "contentType", p.charset,
       p.content_length as "contentLength", p.transfer_length as "transferLength",
       encode(p.content_hash, 'hex') as "contentHash", lpad(to_hex(p.simhash), 16, '0') as simhash,
       p.text_length as "textLength", p.links_count as links, p.images_count as images, p.depth,
       p.crawled_at as "crawledAt", p.first_crawled_at as "firstCrawledAt",
       p.crawl_duration_ms as "durationMs", p.is_noindex as noindex, p.is_nofollow as nofollow,
       p.changed_at as "changedAt", p.missing_since as "missingSince", p.gone_at as "goneAt",
       p.run_id as run
  from (select p.* from pages p
         where ($1::bigint is null or p.id > $1)
           and ($3::smallint is null or p.http_status between $3 and $4::smallint)
           and ($5::text is null or p.title ilike $5)
           and ($6::text is null or lower(p.language) = $6 or lower(p.language) like $6 || '-%')
           and ($7::text is null or p.content_type ilike $7)
           and ($8::boolean is null or (p.gone_at is not null) = $8)
           and ($9::timestamptz is null or p.changed_at >= $9)
           and ($10::timestamptz is null or p.crawled_at >= $10)
           and ($11::timestamptz is null or p.crawled_at < $11)
           and ($12::bigint is null or p.run_id = $12)
         order by p.id asc
         limit $2) as p
 order by p.id asc
