-- Adds to worker $1's tallies.
-- Relies on: the primary key of worker_tallies.
insert into worker_tallies (worker_id, tally, count)
select $1, v.tally, v.count from unnest($2::text[], $3::bigint[]) as v (tally, count) order by v.tally
on conflict (worker_id, tally) do update set count = worker_tallies.count + excluded.count
