-- Whether there is a run $1, and the newest there is.
-- Relies on: the primary key of crawl_runs.
select exists (select from crawl_runs where id = $1) as "isKnown", (select max(id) from crawl_runs) as last
