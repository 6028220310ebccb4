-- Delivery $1, taken by $2 for $3 seconds, whenever it is due, if it waits and nobody has it.
-- Relies on: the primary keys of webhook_deliveries and webhooks.
update webhook_deliveries d
   set locked_by = $2, locked_until = forager_now() + $3::int * interval '1 second',
       next_attempt_at = forager_now() + $3::int * interval '1 second'
  from webhooks w
 where d.id = $1 and w.id = d.webhook_id and d.state = 'pending' and w.is_enabled
   and (d.locked_until is null or d.locked_until <= forager_now())
returning d.id, d.webhook_id as "webhookId", d.message_id as "messageId", d.payload,
          d.attempts_count as "attemptsCount", w.url, w.secret,
          case when w.previous_secret_until > forager_now() then w.previous_secret end as "previousSecret"
