-- Everything run $1 counted.
-- Relies on: the primary key of crawl_run_tallies.
select tally, count from crawl_run_tallies where run_id = $1 order by count desc, tally
