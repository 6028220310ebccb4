-- Settings of domain $1: those that $2, a JSON object, names; null is the program's default.
-- One that rests for the maintenance window it had is free at once when it gets another; the scheduler looks again.
-- Relies on: the primary key of domains.
update domains
   set crawl_delay_ms = case when $2::jsonb ? 'crawlDelayMs' then ($2->>'crawlDelayMs')::int else crawl_delay_ms end,
       max_concurrent_requests = case when $2 ? 'maxConcurrentRequests' then ($2->>'maxConcurrentRequests')::int
                                      else max_concurrent_requests end,
       max_pages_per_run = case when $2 ? 'maxPagesPerRun' then ($2->>'maxPagesPerRun')::int
                                else max_pages_per_run end,
       user_agent = case when $2 ? 'userAgent' then $2->>'userAgent' else user_agent end,
       scope = case when $2 ? 'scope' then $2->>'scope' else scope end,
       include = case when not $2 ? 'include' then include
                      when jsonb_typeof($2->'include') = 'array' and $2->'include' <> '[]'
                        then array(select jsonb_array_elements_text($2->'include')) end,
       exclude = case when not $2 ? 'exclude' then exclude
                      when jsonb_typeof($2->'exclude') = 'array' and $2->'exclude' <> '[]'
                        then array(select jsonb_array_elements_text($2->'exclude')) end,
       max_depth = case when $2 ? 'maxDepth' then ($2->>'maxDepth')::int else max_depth end,
       parser_name = case when $2 ? 'parserName' then coalesce($2->>'parserName', 'generic') else parser_name end,
       images_mode = case when $2 ? 'images' then $2->>'images' else images_mode end,
       language = case when $2 ? 'language' then $2->>'language' else language end,
       default_crawl_frequency = case when $2 ? 'crawlFrequencyHours'
                                      then coalesce(($2->>'crawlFrequencyHours')::int, 24) * interval '1 hour'
                                      else default_crawl_frequency end,
       is_explored = case when $2 ? 'isExplored' then coalesce(($2->>'isExplored')::boolean, true) else is_explored end,
       maintenance_start = case when $2 ? 'maintenance' then ($2->'maintenance'->>'start')::time
                                else maintenance_start end,
       maintenance_end = case when $2 ? 'maintenance' then ($2->'maintenance'->>'end')::time else maintenance_end end,
       maintenance_timezone = case when $2 ? 'maintenance' then coalesce($2->'maintenance'->>'timezone', 'UTC')
                                   else maintenance_timezone end,
       proxy_mode = case when $2 ? 'proxyMode' then coalesce($2->>'proxyMode', 'auto') else proxy_mode end,
       proxy_country = case when $2 ? 'proxyCountry' then $2->>'proxyCountry' else proxy_country end,
       proxy_rotation = case when $2 ? 'proxyRotation' then coalesce($2->>'proxyRotation', 'request')
                             else proxy_rotation end,
       proxy_requests_per_hour = case when $2 ? 'proxyRequestsPerHour' then ($2->>'proxyRequestsPerHour')::int
                                      else proxy_requests_per_hour end,
       next_crawl_after = case
         when $2 ? 'maintenance' and status in ('pending', 'active')
              and next_crawl_after = maintenance_ends(maintenance_start, maintenance_end, maintenance_timezone,
                                                      forager_now())
           then null else next_crawl_after end,
       updated_at = forager_now()
 where id = $1
returning id
