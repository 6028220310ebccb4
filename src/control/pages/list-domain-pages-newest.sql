-- Pages of domain $3 in the order of their ids, the newest first, before id $1 (null: from the first on), at most $2:
-- with an HTTP status from $4 to $5, a title like $6, language $7 (en is also en-GB), a content type like $8, gone or not as
-- $9 says, changed since $10, last read from $11 until $12, last read by run $13. Null means: any.
-- The domain is given as a range and is part of the order: as a mere equality it would leave the planner free to walk
-- pages_id past the pages of all other domains.
-- Relies on: pages_domain, the primary key of domains.
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
         where (p.domain_id, p.id) < ($3::bigint, coalesce($1::bigint, 9223372036854775807))
           and p.domain_id >= $3
           and ($4::smallint is null or p.http_status between $4 and $5::smallint)
           and ($6::text is null or p.title ilike $6)
           and ($7::text is null or lower(p.language) = $7 or lower(p.language) like $7 || '-%')
           and ($8::text is null or p.content_type ilike $8)
           and ($9::boolean is null or (p.gone_at is not null) = $9)
           and ($10::timestamptz is null or p.changed_at >= $10)
           and ($11::timestamptz is null or p.crawled_at >= $11)
           and ($12::timestamptz is null or p.crawled_at < $12)
           and ($13::bigint is null or p.run_id = $13)
         order by p.domain_id desc, p.id desc
         limit $2) as p
 order by p.id desc
