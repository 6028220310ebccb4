-- Deliveries that are due, at most $1, taken by $6 for $7 seconds: of each webhook at most $2, less those of it ($3, how
-- many: $4) that the taker has already, and none of those it lets rest ($5). Until the lock ends nobody finds them due.
-- Relies on: webhook_deliveries_due; webhooks is small.
with due as materialized (
  select d.id
    from webhooks w
    left join unnest($3::bigint[], $4::int[]) as held (webhook_id, count) on held.webhook_id = w.id
   cross join lateral (
     select id, next_attempt_at
       from webhook_deliveries
      where webhook_id = w.id and state = 'pending' and next_attempt_at <= forager_now()
      order by next_attempt_at, id
      limit greatest(0, $2::int - coalesce(held.count, 0))
        for update skip locked) as d
   where w.is_enabled and w.id <> all($5::bigint[])
   order by d.next_attempt_at, d.id
   limit $1
)
update webhook_deliveries d
   set locked_by = $6, locked_until = forager_now() + $7::int * interval '1 second',
       next_attempt_at = forager_now() + $7::int * interval '1 second'
  from due
  join webhook_deliveries t on t.id = due.id
  join webhooks w on w.id = t.webhook_id
 where d.id = due.id
returning d.id, d.webhook_id as "webhookId", d.message_id as "messageId", d.payload,
          d.attempts_count as "attemptsCount", w.url, w.secret,
          case when w.previous_secret_until > forager_now() then w.previous_secret end as "previousSecret"
