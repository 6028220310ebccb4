-- Versions of parsers that have read pages within the last $2 days, the latest first; null $1: of every parser.
-- Relies on: parse_hours_hour.
select parser_name as name, parser_version as version, min(hour) as "firstAt", max(hour) as "lastAt",
       sum(pages_count)::bigint as pages
  from parse_hours
 where hour > forager_now() - make_interval(days => $2)
   and ($1::text is null or parser_name = $1)
 group by parser_name, parser_version
 order by parser_name, max(hour) desc, parser_version desc
 limit 2000
