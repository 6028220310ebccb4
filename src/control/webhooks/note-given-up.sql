-- A delivery to webhook $1 was given up; the $2th in a row switches it off.
-- Relies on: the primary key of webhooks.
update webhooks
   set failure_count = failure_count + 1,
       is_enabled = is_enabled and failure_count + 1 < $2::int,
       disabled_reason = case when is_enabled and failure_count + 1 >= $2::int
                              then format('the last %s messages were given up after every attempt had failed', $2::int)
                              else disabled_reason end,
       updated_at = forager_now()
 where id = $1
