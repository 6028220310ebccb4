-- Delivery $1 is due once more, with all its attempts, unless somebody is sending it at this moment.
-- Relies on: the primary key of webhook_deliveries.
update webhook_deliveries
   set state = 'pending', attempts_count = 0, next_attempt_at = forager_now(), delivered_at = null,
       locked_by = null, locked_until = null
 where id = $1 and (locked_until is null or locked_until <= forager_now())
returning id
