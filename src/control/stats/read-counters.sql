-- What was counted from $1 until $2 in steps of $3 seconds, for each of the metrics $4: the tallies from $5 to $6 in
-- the order of their bytes (one tally, or the codes 200 to 299). Steps without anything have no row.
-- Relies on: the primary key of stats_minutely.
with counted as (
  select date_bin($3::int * interval '1 second', minute, timestamptz '2000-01-01 00:00Z') as step, tally,
         sum(count)::float8 as count
    from stats_minutely
   where minute >= $1 and minute < $2
   group by 1, 2
)
select m.metric, c.step, sum(c.count)::float8 as value
  from counted c
  join unnest($4::text[], $5::text[], $6::text[]) as m (metric, lowest, highest)
    on c.tally collate "C" >= m.lowest and c.tally collate "C" <= m.highest
 group by m.metric, c.step
