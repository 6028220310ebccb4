-- What was measured in an hour older than two days becomes its average, in the row of the hour's first minute.
-- Relies on: the primary key of stats_gauges; reads what is kept, once an hour.
with hours as (
  select date_trunc('hour', minute, 'UTC') as hour, gauge, avg(value) as value
    from stats_gauges
   where minute < date_trunc('hour', forager_now() - interval '2 days', 'UTC')
   group by 1, 2
  having count(*) > 1 or min(minute) <> date_trunc('hour', min(minute), 'UTC')
), dropped as (
  delete from stats_gauges g using hours h
   where g.gauge = h.gauge and g.minute > h.hour and g.minute < h.hour + interval '1 hour'
)
insert into stats_gauges (minute, gauge, value)
select hour, gauge, value from hours
on conflict (minute, gauge) do update set value = excluded.value
