-- Of proxy $1 what $2, a JSON object, names; its password becomes $3 where $4. One that is switched on has its failures
-- forgotten; one that is switched off was so by $5.
-- Relies on: the primary key of proxies.
update proxies
   set proxy_protocol = coalesce($2::jsonb->>'protocol', proxy_protocol),
       proxy_url = coalesce($2->>'host', proxy_url),
       proxy_port = coalesce(($2->>'port')::int, proxy_port),
       proxy_username = case when $2 ? 'username' then $2->>'username' else proxy_username end,
       proxy_password = case when $4::boolean then $3::bytea else proxy_password end,
       is_shared = coalesce(($2->>'isShared')::boolean, is_shared),
       country_code = case when $2 ? 'countryCode' then $2->>'countryCode' else country_code end,
       city = case when $2 ? 'city' then $2->>'city' else city end,
       provider = case when $2 ? 'provider' then $2->>'provider' else provider end,
       monthly_cost = case when $2 ? 'monthlyCost' then ($2->>'monthlyCost')::numeric else monthly_cost end,
       max_requests_per_hour = coalesce(($2->>'maxRequestsPerHour')::int, max_requests_per_hour),
       is_active = coalesce(($2->>'isActive')::boolean, is_active),
       disabled_by = case ($2->>'isActive')::boolean when true then null when false then $5 else disabled_by end,
       disabled_at = case ($2->>'isActive')::boolean when true then null when false then forager_now()
                                                     else disabled_at end,
       retry_at = case when ($2->>'isActive')::boolean is null then retry_at end,
       failure_count = case when ($2->>'isActive')::boolean then 0 else failure_count end,
       outages_count = case when ($2->>'isActive')::boolean then 0 else outages_count end,
       updated_at = forager_now()
 where id = $1
