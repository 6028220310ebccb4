-- What was measured in this minute.
-- Relies on: the primary key of stats_gauges.
insert into stats_gauges (minute, gauge, value)
select date_trunc('minute', forager_now(), 'UTC'), v.gauge, v.value
  from unnest($1::text[], $2::float8[]) as v (gauge, value)
on conflict (minute, gauge) do update set value = excluded.value
