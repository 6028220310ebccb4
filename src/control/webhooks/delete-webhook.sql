-- A webhook that is not wanted any more, with its deliveries and their attempts.
-- Relies on: the primary key of webhooks, webhook_deliveries_webhook.
delete from webhooks where id = $1 returning url
