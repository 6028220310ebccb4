-- The averages of the gauges $4 from $1 until $2 in steps of $3 seconds. Steps without a measurement have no row.
-- Relies on: the primary key of stats_gauges.
select gauge as metric, date_bin($3::int * interval '1 second', minute, timestamptz '2000-01-01 00:00Z') as step,
       avg(value) as value
  from stats_gauges
 where minute >= $1 and minute < $2 and gauge = any($4::text[])
 group by 1, 2
