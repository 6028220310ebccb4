-- The unfinished run of the command with key $1.
-- Relies on: crawl_runs_one_unfinished.
select id, pages_count from crawl_runs where crawl_key = $1 and finished_at is null
