-- Latest metadata per URL; a later visit replaces an earlier one. Tells which pages were not there before.
-- Relies on: the primary key of pages.
insert into pages (domain_id, url_hash, url, run_id, depth, http_status, content_type, charset,
                   content_length, transfer_length, content_hash, simhash, title, description, canonical_url,
                   language, text_length, links_count, images_count, is_noindex, is_nofollow,
                   segment_id, segment_offset, segment_length, crawl_duration_ms, first_crawled_at, crawled_at)
select v.domain_id, v.url_hash, v.url, $1, v.depth, v.http_status, v.content_type, v.charset,
       v.content_length, v.transfer_length, v.content_hash, v.simhash, v.title, v.description, v.canonical_url,
       v.language, v.text_length, v.links_count, v.images_count, v.is_noindex, v.is_nofollow,
       v.segment_id, v.segment_offset, v.segment_length, v.duration_ms, v.crawled_at, v.crawled_at
  from unnest($2::bigint[], $3::bytea[], $4::text[], $5::smallint[], $6::smallint[], $7::text[], $8::text[],
              $9::int[], $10::int[], $11::bytea[], $12::bigint[], $13::text[], $14::text[], $15::text[],
              $16::text[], $17::int[], $18::int[], $19::int[], $20::boolean[], $21::boolean[],
              $22::int[], $23::bigint[], $24::int[], $25::int[], $26::timestamptz[])
       as v (domain_id, url_hash, url, depth, http_status, content_type, charset,
             content_length, transfer_length, content_hash, simhash, title, description, canonical_url,
             language, text_length, links_count, images_count, is_noindex, is_nofollow,
             segment_id, segment_offset, segment_length, duration_ms, crawled_at)
on conflict (domain_id, url_hash) do update
   set url = excluded.url, run_id = excluded.run_id, depth = excluded.depth,
       http_status = excluded.http_status, content_type = excluded.content_type, charset = excluded.charset,
       content_length = excluded.content_length, transfer_length = excluded.transfer_length,
       content_hash = excluded.content_hash, simhash = excluded.simhash, title = excluded.title,
       description = excluded.description, canonical_url = excluded.canonical_url,
       language = excluded.language, text_length = excluded.text_length, links_count = excluded.links_count,
       images_count = excluded.images_count, is_noindex = excluded.is_noindex,
       is_nofollow = excluded.is_nofollow, segment_id = excluded.segment_id,
       segment_offset = excluded.segment_offset, segment_length = excluded.segment_length,
       crawl_duration_ms = excluded.crawl_duration_ms, crawled_at = excluded.crawled_at,
       changed_at = case when excluded.content_hash is distinct from pages.content_hash
                         then excluded.crawled_at else pages.changed_at end,
       missing_since = null, gone_at = null,
       -- searched by these, too: it is to be taken anew
       search_hash = case when (excluded.title, excluded.description, excluded.language)
                               is distinct from (pages.title, pages.description, pages.language)
                          then null else pages.search_hash end
returning domain_id, images_count, xmax = 0 as is_new
