-- What is encrypted in the database, and what for. Of the passwords of proxies the newest thousand: where there are
-- more, they tell as much.
-- Relies on: nothing; webhooks is small. The primary key of proxies.
select 'webhook' as purpose, id, secret,
       case when previous_secret_until > forager_now() then previous_secret end as "previousSecret"
  from webhooks
union all
(select 'proxy', id, proxy_password, null from proxies
  where proxy_password is not null
  order by id desc
  limit 1000)
 order by purpose, id
