-- Pages whose kept bodies were parsed once more: what they say is written anew, and nothing else. They were not visited,
-- and have not changed. Where a body may not be kept (is_dropped), the page forgets where it is.
-- Relies on: the primary keys of pages and urls.
with reread as (
  update pages p
     set content_type = v.content_type, charset = v.charset, content_length = v.content_length,
         content_hash = v.content_hash, simhash = v.simhash, title = v.title, description = v.description,
         canonical_url = v.canonical_url, language = v.language, text_length = v.text_length,
         links_count = v.links_count, images_count = v.images_count, is_noindex = v.is_noindex,
         is_nofollow = v.is_nofollow,
         segment_id = case when v.is_dropped then null else p.segment_id end,
         segment_offset = case when v.is_dropped then null else p.segment_offset end,
         segment_length = case when v.is_dropped then null else p.segment_length end
    from unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::int[], $6::bytea[], $7::bigint[], $8::text[],
                $9::text[], $10::text[], $11::text[], $12::int[], $13::int[], $14::int[], $15::boolean[],
                $16::boolean[], $17::boolean[])
         as v (domain_id, url_hash, content_type, charset, content_length, content_hash, simhash, title,
               description, canonical_url, language, text_length, links_count, images_count, is_noindex,
               is_nofollow, is_dropped)
   where p.domain_id = v.domain_id and p.url_hash = v.url_hash
  returning p.domain_id, p.url_hash, p.content_hash, p.simhash
)
update urls u
   set content_hash = r.content_hash, simhash = r.simhash
  from reread r
 where u.domain_id = r.domain_id and u.url_hash = r.url_hash and u.content_hash is not null
