-- How well parsers did, added to what they did before in this hour.
-- Relies on: the primary key of parse_hours. The domains are locked already, so nobody else writes these rows.
insert into parse_hours as h (domain_id, parser_name, parser_version, hour, pages_count, valid_count, partial_count,
                              invalid_count, lost_count, failed_count)
select v.domain_id, v.parser, v.version, date_trunc('hour', forager_now(), 'UTC'), v.pages, v.valid, v.partial,
       v.invalid, v.lost, v.failed
  from unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[])
       as v (domain_id, parser, version, pages, valid, partial, invalid, lost, failed)
on conflict (domain_id, parser_name, parser_version, hour) do update
   set pages_count = h.pages_count + excluded.pages_count, valid_count = h.valid_count + excluded.valid_count,
       partial_count = h.partial_count + excluded.partial_count,
       invalid_count = h.invalid_count + excluded.invalid_count, lost_count = h.lost_count + excluded.lost_count,
       failed_count = h.failed_count + excluded.failed_count
