-- How parser $1 did, by day and version, within the last $2 days, the latest first; on domain $3, or on all of them.
-- Relies on: parse_hours_hour; for one domain the primary key.
select date_trunc('day', hour at time zone 'UTC')::date::text as day, parser_version as version,
       sum(pages_count)::bigint as pages, sum(valid_count)::bigint as valid,
       sum(partial_count)::bigint as partial, sum(invalid_count)::bigint as invalid,
       sum(lost_count)::bigint as lost, sum(failed_count)::bigint as failed
  from parse_hours
 where hour > forager_now() - make_interval(days => $2)
   and parser_name = $1
   and ($3::bigint is null or domain_id = $3)
 group by 1, 2
 order by 1 desc, 2 desc
 limit 2000
