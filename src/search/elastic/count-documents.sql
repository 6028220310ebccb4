-- How many products (if $1), or texts of pages, there are.
-- Relies on: nothing; it reads a whole index, for the sake of a bar.
select case when $1 then (select count(*)::int from products) else (select count(*)::int from page_texts) end as count
