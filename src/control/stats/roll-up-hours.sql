-- Up to $1 rows of minutes older than two days are added to the row of their hour, which is that of its first minute.
-- Relies on: the primary key of stats_minutely; reads the minutes of the last 400 days, once an hour.
with old as (
  select minute, tally
    from stats_minutely
   where worker_id = '' and minute < date_trunc('hour', forager_now() - interval '2 days', 'UTC')
     and minute <> date_trunc('hour', minute, 'UTC')
   order by minute, tally
   limit $1
), taken as (
  delete from stats_minutely s using old
   where s.minute = old.minute and s.worker_id = '' and s.tally = old.tally
  returning s.minute, s.tally, s.count
), gathered as (
  insert into stats_minutely (minute, worker_id, tally, count)
  select date_trunc('hour', minute, 'UTC'), '', tally, sum(count) from taken group by 1, 3 order by 1, 3
  on conflict (minute, worker_id, tally) do update set count = stats_minutely.count + excluded.count
)
select count(*)::int as "rows" from taken
