-- The last attempts of a delivery, the latest first.
-- Relies on: the primary key of webhook_attempts.
select at, http_status as "httpStatus", duration_ms as "durationMs", error, answer
  from webhook_attempts
 where delivery_id = $1
 order by id desc
 limit 100
