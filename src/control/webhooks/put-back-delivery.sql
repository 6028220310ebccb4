-- Delivery $1 was not sent by $2 after all: it is due again in $3 seconds; why not: $4 (null: nothing to say).
-- Relies on: the primary key of webhook_deliveries.
update webhook_deliveries
   set next_attempt_at = forager_now() + $3::int * interval '1 second', last_error = coalesce($4, last_error),
       locked_by = null, locked_until = null
 where id = $1 and locked_by = $2
