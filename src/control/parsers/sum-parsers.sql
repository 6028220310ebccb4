-- How each parser did in the last 24 hours, over all domains and versions; null $1: every parser.
-- Relies on: parse_hours_hour.
select parser_name as name, sum(pages_count)::bigint as pages, sum(valid_count)::bigint as valid,
       sum(partial_count)::bigint as partial, sum(invalid_count)::bigint as invalid,
       sum(lost_count)::bigint as lost, sum(failed_count)::bigint as failed
  from parse_hours
 where hour > forager_now() - interval '24 hours'
   and ($1::text is null or parser_name = $1)
 group by parser_name
 order by parser_name
 limit 1000
