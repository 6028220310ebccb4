-- All that was ever counted, and who is at work now.
-- Relies on: stats_minutely_of_workers, the primary keys of stats_totals and stats_gauges; the register is short.
with counted as (
  select tally, count from stats_totals where tally in ('pages', 'fetches', 'errors', 'bytes', 'urls')
  union all
  select tally, count from stats_minutely
   where worker_id <> '' and tally in ('pages', 'fetches', 'errors', 'bytes', 'urls')
), totals as (
  select coalesce(sum(count) filter (where tally = 'pages'), 0)::bigint as pages,
         coalesce(sum(count) filter (where tally = 'fetches'), 0)::bigint as fetches,
         coalesce(sum(count) filter (where tally = 'errors'), 0)::bigint as errors,
         coalesce(sum(count) filter (where tally = 'bytes'), 0)::bigint as bytes,
         coalesce(sum(count) filter (where tally = 'urls'), 0)::bigint as urls
    from counted
), staff as (
  select count(*)::int as workers, coalesce(sum(in_flight_count), 0)::int as "inFlight"
    from workers where state <> 'stopped' and heartbeat_at > forager_now() - interval '2 minutes'
)
select totals.*, staff.*,
       (select value from stats_gauges where gauge = 'frontier' order by minute desc limit 1)::float8 as frontier
  from totals, staff
