-- One webhook.
-- Relies on: the primary key of webhooks.
select id, url, description, events, is_enabled as "isEnabled", disabled_reason as "disabledReason",
       failure_count as "failureCount",
       case when previous_secret_until > forager_now() then previous_secret_until end as "previousSecretUntil",
       created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"
  from webhooks
 where id = $1
