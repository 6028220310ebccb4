-- How an attempt ended: it is logged, and what becomes of delivery $1 is written if $2 still has it: its state $3, where
-- it is to be tried again after $4 ms, status $5, error $6, duration $7 ms, beginning of the answer $8.
-- Relies on: the primary key of webhook_deliveries.
with logged as (
  insert into webhook_attempts (delivery_id, at, http_status, duration_ms, error, answer)
  select id, forager_now(), $5::smallint, $7::int, $6::text, $8::text from webhook_deliveries where id = $1
)
update webhook_deliveries
   set state = $3, attempts_count = attempts_count + 1, last_status = $5::smallint, last_error = $6::text,
       next_attempt_at = case when $3 = 'pending' then forager_now() + $4::float8 * interval '1 millisecond' end,
       delivered_at = case when $3 = 'delivered' then forager_now() end, locked_by = null, locked_until = null
 where id = $1 and locked_by = $2
returning id
