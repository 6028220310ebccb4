-- How many URLs of domain $1 are in each state, and how many of them wait for another attempt.
-- Relies on: the primary key of urls (one partition, one domain).
select state::text as state, count(*)::int as count,
       count(*) filter (where retry_at is not null)::int as waiting
  from urls where domain_id = $1 group by state order by state
