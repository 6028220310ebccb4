-- Texts of the pages $1 as a search server gets them.
-- Relies on: page_texts_page.
select t.page_id as id,
       jsonb_build_object(
         'page_id', t.page_id, 'domain_id', t.domain_id, 'title', left(t.title, 1000), 'text', left(t.text, 50000),
         'crawled_us', (extract(epoch from t.crawled_at) * 1000000)::bigint)::text as doc
  from page_texts t
 where t.page_id = any($1::bigint[])
