-- How many pages run $1 has had, whoever fetched them.
-- Relies on: the primary key of crawl_runs.
select pages_count from crawl_runs where id = $1
