-- Up to $2 changes of products that are older than $1 days go. The history of their prices stays.
-- Relies on: product_events_at, the primary key of product_events.
with old as (
  select id from product_events
   where at < forager_now() - $1::int * interval '1 day'
   order by at, id
   limit $2
     for update skip locked
)
delete from product_events e using old where e.id = old.id
