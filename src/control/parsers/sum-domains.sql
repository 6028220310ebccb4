-- How parser $1 did on each domain, in the last 24 hours and in the $2 days before, with the version that was used last;
-- on domain $3, or on all of them. Those it does worst on first, at most $4.
-- Relies on: parse_hours_hour; for one domain the primary key.
with sums as (
  select domain_id, hour > forager_now() - interval '24 hours' as "isNow",
         sum(pages_count)::bigint as pages, sum(valid_count)::bigint as valid,
         sum(partial_count)::bigint as partial, sum(invalid_count)::bigint as invalid,
         sum(lost_count)::bigint as lost, sum(failed_count)::bigint as failed, max(hour) as last
    from parse_hours
   where hour > forager_now() - make_interval(days => $2) - interval '24 hours'
     and parser_name = $1
     and ($3::bigint is null or domain_id = $3)
   group by 1, 2
), sides as (
  select domain_id, max(last) as last,
         coalesce(sum(pages) filter (where "isNow"), 0)::bigint as pages,
         coalesce(sum(valid) filter (where "isNow"), 0)::bigint as valid,
         coalesce(sum(partial) filter (where "isNow"), 0)::bigint as partial,
         coalesce(sum(invalid) filter (where "isNow"), 0)::bigint as invalid,
         coalesce(sum(lost) filter (where "isNow"), 0)::bigint as lost,
         coalesce(sum(failed) filter (where "isNow"), 0)::bigint as failed,
         coalesce(sum(valid) filter (where not "isNow"), 0)::bigint as "validBefore",
         coalesce(sum(valid + partial + invalid + lost + failed) filter (where not "isNow"), 0)::bigint
           as "productsBefore"
    from sums
   group by domain_id
)
select d.domain, s.pages, s.valid, s.partial, s.invalid, s.lost, s.failed, s."validBefore", s."productsBefore",
       s.last as "lastAt",
       (select h.parser_version from parse_hours h
         where h.domain_id = s.domain_id and h.parser_name = $1 and h.hour = s.last
         order by h.parser_version desc limit 1) as version
  from sides s
  join domains d on d.id = s.domain_id
 order by s.valid::float8 / nullif(s.valid + s.partial + s.invalid + s.lost + s.failed, 0) nulls last,
          s.pages desc, d.domain
 limit $4
