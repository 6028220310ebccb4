-- Webhooks with numbers below $1 (all: null), the newest first, at most $2.
-- Relies on: the primary key of webhooks.
select id, url, description, events, is_enabled as "isEnabled", disabled_reason as "disabledReason",
       failure_count as "failureCount",
       case when previous_secret_until > forager_now() then previous_secret_until end as "previousSecretUntil",
       created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"
  from webhooks
 where $1::bigint is null or id < $1
 order by id desc
 limit $2
