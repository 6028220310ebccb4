-- Errors that are older than 30 days, a portion of them.
-- Relies on: error_logs_at.
delete from error_logs
 where id in (select id from error_logs where occurred_at < forager_now() - interval '30 days'
               order by occurred_at, id limit 5000)
