-- How parsers did on the pages of domains $1 is added to how they did on those of domains $2.
-- Relies on: the primary key of parse_hours.
with moved as (
  delete from parse_hours h
   using unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
   where h.domain_id = m.from_id
  returning m.to_id, h.*
)
insert into parse_hours (domain_id, parser_name, parser_version, hour, pages_count, valid_count, partial_count,
                         invalid_count, lost_count, failed_count)
select to_id, parser_name, parser_version, hour, sum(pages_count), sum(valid_count), sum(partial_count),
       sum(invalid_count), sum(lost_count), sum(failed_count)
  from moved
 group by to_id, parser_name, parser_version, hour
on conflict (domain_id, parser_name, parser_version, hour) do update
   set pages_count = parse_hours.pages_count + excluded.pages_count,
       valid_count = parse_hours.valid_count + excluded.valid_count,
       partial_count = parse_hours.partial_count + excluded.partial_count,
       invalid_count = parse_hours.invalid_count + excluded.invalid_count,
       lost_count = parse_hours.lost_count + excluded.lost_count,
       failed_count = parse_hours.failed_count + excluded.failed_count
