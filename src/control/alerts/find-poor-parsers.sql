-- Domains on which a parser has got much worse: of the last 24 hours, at least $1 pages with products, and either fewer
-- than $2 of them valid (where the parser was chosen for the domain), or more than $3 fewer than in the 7 days before.
-- At most $4, the worst first. The versions are those used last on either side.
-- Relies on: parse_hours_hour, the primary key of parse_hours.
with lately as (
  select domain_id, parser_name, sum(valid_count)::float8 as valid,
         sum(valid_count + partial_count + invalid_count + lost_count + failed_count)::float8 as products,
         sum(failed_count)::int as failed
    from parse_hours
   where hour > forager_now() - interval '24 hours'
   group by domain_id, parser_name
  having sum(valid_count + partial_count + invalid_count + lost_count + failed_count) >= $1
), compared as (
  select l.*, l.valid / l.products as rate, b.valid / nullif(b.products, 0) as before,
         coalesce(b.products, 0) as products_before
    from lately l
    cross join lateral (
      select sum(h.valid_count)::float8 as valid,
             sum(h.valid_count + h.partial_count + h.invalid_count + h.lost_count + h.failed_count)::float8 as products
        from parse_hours h
       where h.domain_id = l.domain_id and h.parser_name = l.parser_name
         and h.hour <= forager_now() - interval '24 hours'
         and h.hour > forager_now() - interval '8 days') as b
)
select d.domain, c.parser_name as parser, c.rate, c.products::int as products, c.failed,
       case when c.products_before >= $1 then c.before end as "rateBefore",
       (select h.parser_version from parse_hours h
         where h.domain_id = c.domain_id and h.parser_name = c.parser_name
           and h.hour > forager_now() - interval '24 hours'
         order by h.hour desc, h.parser_version desc limit 1) as version,
       (select h.parser_version from parse_hours h
         where h.domain_id = c.domain_id and h.parser_name = c.parser_name
           and h.hour <= forager_now() - interval '24 hours' and h.hour > forager_now() - interval '8 days'
         order by h.hour desc, h.parser_version desc limit 1) as "versionBefore"
  from compared c
  join domains d on d.id = c.domain_id
 -- What nobody uses there any more is nobody's concern.
 where d.parser_name = c.parser_name
   and ((c.rate < $2 and c.parser_name <> 'generic')
        or (c.products_before >= $1 and c.before - c.rate > $3))
 order by c.rate, c.products desc, d.domain
 limit $4
