-- One delivery with its message.
-- Relies on: the primary key of webhook_deliveries.
select id, webhook_id as "webhookId", message_id as "messageId", event, state, attempts_count as "attemptsCount",
       case when state = 'pending' then next_attempt_at end as "nextAttemptAt", last_status as "lastStatus",
       last_error as "lastError", created_at as "createdAt", delivered_at as "deliveredAt", payload
  from webhook_deliveries
 where id = $1
