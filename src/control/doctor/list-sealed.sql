-- Everything in the database that is encrypted.
-- Relies on: nothing; webhooks is small.
select id, secret, case when previous_secret_until > forager_now() then previous_secret end as "previousSecret"
  from webhooks
 order by id
