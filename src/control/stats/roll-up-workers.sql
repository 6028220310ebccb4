-- Up to $1 rows of workers that are older than two minutes become rows of nobody and are added to the totals, all
-- in one statement: whoever adds up totals and workers' rows finds each count exactly once. A row that somebody
-- writes at this moment after all is left for the next time.
-- Relies on: stats_minutely_of_workers, the primary keys of stats_minutely and stats_totals.
with old as (
  select minute, worker_id, tally
    from stats_minutely
   where worker_id <> '' and minute < forager_now() - interval '3 minutes'
   order by minute, worker_id, tally
   limit $1
   for update skip locked
), taken as (
  delete from stats_minutely s using old
   where s.minute = old.minute and s.worker_id = old.worker_id and s.tally = old.tally
  returning s.minute, s.tally, s.count
), gathered as (
  insert into stats_minutely (minute, worker_id, tally, count)
  select minute, '', tally, sum(count) from taken group by minute, tally order by minute, tally
  on conflict (minute, worker_id, tally) do update set count = stats_minutely.count + excluded.count
), added as (
  insert into stats_totals (tally, count)
  select tally, sum(count) from taken group by tally order by tally
  on conflict (tally) do update set count = stats_totals.count + excluded.count
)
select count(*)::int as "rows" from taken
