-- Adds what worker $1 has just committed to the figures of this minute.
-- Relies on: the primary key of stats_minutely.
insert into stats_minutely (minute, worker_id, tally, count)
select date_trunc('minute', forager_now(), 'UTC'), $1, v.tally, v.count
  from unnest($2::text[], $3::bigint[]) as v (tally, count) order by v.tally
on conflict (minute, worker_id, tally) do update set count = stats_minutely.count + excluded.count
