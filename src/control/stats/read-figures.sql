-- Everything that was ever counted, and what of it in this minute and in the one before, in one snapshot: whatever
-- is being added up at the moment is found once.
-- Relies on: stats_minutely_of_workers; stats_totals has a row for each kind of count.
select c.tally, sum(c.count)::bigint as total,
       coalesce(sum(c.count) filter (where c.minute = m.minute), 0)::bigint as "thisMinute",
       coalesce(sum(c.count) filter (where c.minute = m.minute - interval '1 minute'), 0)::bigint as "lastMinute"
  from (select tally, count, null::timestamptz as minute from stats_totals
        union all
        select tally, count, minute from stats_minutely where worker_id <> '') as c
 cross join (select date_trunc('minute', forager_now(), 'UTC') as minute) as m
 group by c.tally
