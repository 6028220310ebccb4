-- Numbers of pages with a text after $1, at most $2.
-- Relies on: page_texts_page.
select page_id as id from page_texts where page_id > $1 order by page_id limit $2
