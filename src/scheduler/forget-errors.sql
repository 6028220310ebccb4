-- Up to $2 entries of the log of errors that are older than $1 days go.
-- Relies on: error_logs_at, the primary key of error_logs.
with old as (
  select id from error_logs
   where occurred_at < forager_now() - $1::int * interval '1 day'
   order by occurred_at, id
   limit $2
     for update skip locked
)
delete from error_logs e using old where e.id = old.id
