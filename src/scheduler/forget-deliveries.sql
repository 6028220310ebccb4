-- Up to $2 deliveries to webhooks that are older than $1 days go, with their attempts.
-- Relies on: webhook_deliveries_age, the primary key of webhook_deliveries.
with old as (
  select id from webhook_deliveries
   where created_at < forager_now() - $1::int * interval '1 day'
   order by created_at
   limit $2
     for update skip locked
)
delete from webhook_deliveries d using old where d.id = old.id
