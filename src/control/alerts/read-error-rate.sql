-- Fetches of the last five minutes, and how many of them failed or were answered with 4xx or 5xx. Whole minutes and
-- the one that is not over: between five and six minutes.
-- Relies on: the primary key of stats_minutely.
select coalesce(sum(count) filter (where tally = 'fetches'), 0)::int as fetches,
       coalesce(sum(count) filter (where tally = 'errors'), 0)::int as errors
  from stats_minutely
 where minute >= date_trunc('minute', forager_now(), 'UTC') - interval '5 minutes'
   and tally in ('fetches', 'errors')
