-- Up to $2 hours of the figures of parsers that are older than $1 days go.
-- Relies on: parse_hours_hour, the primary key of parse_hours.
with old as (
  select domain_id, parser_name, parser_version, hour from parse_hours
   where hour < forager_now() - $1::int * interval '1 day'
   order by hour
   limit $2
     for update skip locked
)
delete from parse_hours h using old
 where h.domain_id = old.domain_id and h.parser_name = old.parser_name and h.parser_version = old.parser_version
   and h.hour = old.hour
