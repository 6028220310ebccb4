-- Deliveries that are older than 30 days, whatever became of them, a portion of them.
-- Relies on: webhook_deliveries_age.
delete from webhook_deliveries
 where id in (select id from webhook_deliveries where created_at < forager_now() - interval '30 days'
               order by created_at limit 5000)
