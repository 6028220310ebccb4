-- What is given of webhook $1: its URL, events, whether it is on, its description ($6: whether one is given). Whoever
-- switches it on says that it is well.
-- Relies on: the primary key of webhooks.
update webhooks
   set url = coalesce($2, url),
       events = coalesce($3::text[], events),
       is_enabled = coalesce($4, is_enabled),
       disabled_reason = case when $4::boolean is null then disabled_reason end,
       failure_count = case when $4::boolean then 0 else failure_count end,
       description = case when $6::boolean then $5 else description end,
       updated_at = forager_now()
 where id = $1
returning id
