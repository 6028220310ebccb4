-- Whether any product (if $2), or any page, fits the query $1.
-- Relies on: products_search, page_texts_search.
select case when $2 then exists (select from products where search @@ $1::tsquery)
            else exists (select from page_texts where search @@ $1::tsquery) end as "hasMatch"
