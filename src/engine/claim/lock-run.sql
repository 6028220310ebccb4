-- Run $1 held against other claims; its limit, if it has one.
-- Relies on: the primary key of crawl_runs.
select max_pages from crawl_runs where id = $1 for no key update
