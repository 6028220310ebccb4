-- A new webhook, unless there are $7 already.
-- Relies on: nothing; webhooks is small.
insert into webhooks (url, description, events, secret, is_enabled, created_by, created_at, updated_at)
select $1, $2, $3, $4, $5, $6, forager_now(), forager_now()
 where (select count(*) from webhooks) < $7
returning id
