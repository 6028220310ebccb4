-- A test message for webhook $1, due at once, if it is on.
-- Relies on: the primary key of webhooks.
insert into webhook_deliveries (webhook_id, message_id, event, payload, next_attempt_at, created_at)
select id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), 'webhook.test',
       jsonb_build_object('type', 'webhook.test', 'timestamp', to_jsonb(forager_now()),
                          'data', jsonb_build_object('webhookId', id, 'message', 'This is a test.', 'sentBy', $2::text)),
       forager_now(), forager_now()
  from webhooks
 where id = $1 and is_enabled
returning id
