-- Of proxy $2 with domain $1 what $3, a JSON object, names. Switched on, its failures are forgotten; switched off, it was
-- so by $4.
-- Relies on: the primary key of domain_proxies.
update domain_proxies
   set priority = coalesce(($3::jsonb->>'priority')::int, priority),
       max_requests_per_hour = case when $3 ? 'maxRequestsPerHour' then ($3->>'maxRequestsPerHour')::int
                                    else max_requests_per_hour end,
       is_active = coalesce(($3->>'isActive')::boolean, is_active),
       disabled_by = case ($3->>'isActive')::boolean when true then null when false then $4 else disabled_by end,
       disabled_at = case ($3->>'isActive')::boolean when true then null when false then forager_now()
                                                     else disabled_at end,
       retry_at = case when ($3->>'isActive')::boolean is null then retry_at end,
       failure_count = case when ($3->>'isActive')::boolean then 0 else failure_count end,
       outages_count = case when ($3->>'isActive')::boolean then 0 else outages_count end,
       updated_at = forager_now()
 where domain_id = $1 and proxy_id = $2
