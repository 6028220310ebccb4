-- A portion of the deliveries of webhook $1.
-- Relies on: webhook_deliveries_webhook.
delete from webhook_deliveries
 where id in (select id from webhook_deliveries where webhook_id = $1 order by id limit 5000)
