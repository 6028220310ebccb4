-- Webhooks that were switched off because nobody takes their messages.
-- Relies on: nothing; webhooks is small.
select id, url, disabled_reason as "disabledReason" from webhooks
 where not is_enabled and disabled_reason is not null
 order by id
