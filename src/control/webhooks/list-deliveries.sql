-- Deliveries of webhook $1 with numbers below $2 (all: null), in state $3 (any: null), the latest first, at most $4.
-- Relies on: webhook_deliveries_webhook, webhook_deliveries_unsent.
select id, webhook_id as "webhookId", message_id as "messageId", event, state, attempts_count as "attemptsCount",
       case when state = 'pending' then next_attempt_at end as "nextAttemptAt", last_status as "lastStatus",
       last_error as "lastError", created_at as "createdAt", delivered_at as "deliveredAt"
  from webhook_deliveries
 where webhook_id = $1
   and ($2::bigint is null or id < $2)
   and ($3::text is null or state = $3)
 order by id desc
 limit $4
