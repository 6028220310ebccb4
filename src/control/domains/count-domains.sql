-- How many domains are in each state.
-- Relies on: domains_status.
select status::text as status, count(*)::int as count from domains group by status order by status
