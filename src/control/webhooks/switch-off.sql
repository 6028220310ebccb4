-- Webhook $1 asked not to be told any more.
-- Relies on: the primary key of webhooks.
update webhooks
   set is_enabled = false, disabled_reason = 'its server answered 410 Gone', updated_at = forager_now()
 where id = $1 and is_enabled
