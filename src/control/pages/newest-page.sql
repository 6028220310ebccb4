-- The highest id a page has.
-- Relies on: pages_id.
select max(id) as id from pages
