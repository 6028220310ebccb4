-- How many pages wait for their text to be taken, and how many products for their words, each counted up to $1.
-- Relies on: pages_search_due, products_updated, the primary key of search_marks.
select (select count(*)::int
          from (select from pages p
                 where (case when p.is_noindex or p.gone_at is not null then null else p.content_hash end)
                       is distinct from p.search_hash
                 limit $1) as due) as pages,
       (select count(*)::int
          from (select from products p
                 where (p.updated_at, p.id) > (coalesce((select at from search_marks where name = 'words'), '-infinity'),
                                               coalesce((select id from search_marks where name = 'words'), 0))
                 limit $1) as due) as products
