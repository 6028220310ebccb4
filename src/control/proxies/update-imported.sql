-- Proxies $1 get the passwords $2 where there is one, and of $3, a JSON object, what it names.
-- Locked by number, as everywhere.
-- Relies on: the primary key of proxies.
with v as (
  select v.id, v.password from unnest($1::bigint[], $2::bytea[]) as v (id, password)
), locked as (
  select p.id from proxies p where p.id in (select id from v) order by p.id for no key update
)
update proxies p
   set proxy_password = coalesce(v.password, p.proxy_password),
       is_shared = coalesce(($3::jsonb->>'isShared')::boolean, is_shared),
       country_code = case when $3 ? 'countryCode' then $3->>'countryCode' else country_code end,
       city = case when $3 ? 'city' then $3->>'city' else city end,
       provider = case when $3 ? 'provider' then $3->>'provider' else provider end,
       monthly_cost = case when $3 ? 'monthlyCost' then ($3->>'monthlyCost')::numeric else monthly_cost end,
       max_requests_per_hour = coalesce(($3->>'maxRequestsPerHour')::int, max_requests_per_hour),
       updated_at = forager_now()
  from v
  join locked on locked.id = v.id
 where p.id = v.id
