-- Removes up to $2 of what went wrong at domain $1. Answers how many went.
-- Relies on: error_logs_domain, the primary key of error_logs.
with gone as (
  delete from error_logs
   where id in (select id from error_logs where domain_id = $1 limit $2)
  returning id
)
select count(*)::int as count from gone
