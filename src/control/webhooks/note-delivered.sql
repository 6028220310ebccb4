-- Webhook $1 takes messages.
-- Relies on: the primary key of webhooks.
update webhooks set failure_count = 0 where id = $1 and failure_count > 0
