-- Adds to run $1's tallies.
-- Relies on: the primary key of crawl_run_tallies.
insert into crawl_run_tallies (run_id, tally, count)
select $1, v.tally, v.count from unnest($2::text[], $3::bigint[]) as v (tally, count) order by v.tally
on conflict (run_id, tally) do update set count = crawl_run_tallies.count + excluded.count
