-- A new secret for webhook $1. The one before signs for $3 more hours; one older than that is forgotten.
-- Relies on: the primary key of webhooks.
update webhooks
   set previous_secret = case when $3::int > 0 then secret end,
       previous_secret_until = case when $3::int > 0 then forager_now() + $3::int * interval '1 hour' end,
       secret = $2, updated_at = forager_now()
 where id = $1
returning id
