-- The next $4 texts of pages of domain $1 after the hash $2 are searched in the language $3, or, where that is null, in
-- that which the page declares. Answers the last of them.
-- Relies on: the primary keys of page_texts and pages.
with portion as materialized (
  select t.url_hash, coalesce($3::text, p.language) as language
    from page_texts t join pages p on p.domain_id = t.domain_id and p.url_hash = t.url_hash
   where t.domain_id = $1 and t.url_hash > $2::bytea
   order by t.url_hash
   limit $4
     for no key update of t
), changed as (
  update page_texts t set language = o.language from portion o
   where t.domain_id = $1 and t.url_hash = o.url_hash and t.language is distinct from o.language
)
select url_hash as "urlHash" from portion order by url_hash desc limit 1
