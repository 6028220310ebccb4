-- What domains $1 are to domains $2 they are merged into, all but state and name: counters are added, settings a
-- person made are kept and of two the gentler wins, a domain switched off stays off. Whoever held a lease that has
-- run out is fenced out.
-- Relies on: the primary key of domains.
with given as (
  select * from unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
)
update domains k
   set crawl_delay_ms = greatest(k.crawl_delay_ms, s.crawl_delay_ms),
       max_concurrent_requests = least(k.max_concurrent_requests, s.max_concurrent_requests),
       max_pages_per_run = least(k.max_pages_per_run, s.max_pages_per_run),
       max_depth = least(k.max_depth, s.max_depth),
       user_agent = coalesce(k.user_agent, s.user_agent),
       scope = coalesce(k.scope, s.scope),
       include = coalesce(k.include, (select l.include from given g join domains l on l.id = g.from_id
                                       where g.to_id = k.id and l.include is not null order by l.id limit 1)),
       exclude = coalesce(k.exclude, (select l.exclude from given g join domains l on l.id = g.from_id
                                       where g.to_id = k.id and l.exclude is not null order by l.id limit 1)),
       parser_name = case when k.parser_name = 'generic' then coalesce(s.parser_name, k.parser_name)
                          else k.parser_name end,
       images_mode = coalesce(k.images_mode, s.images_mode),
       is_active = k.is_active and s.is_active,
       is_refreshing = k.is_refreshing or s.is_refreshing,
       is_explored = k.is_explored or s.is_explored,
       task_priority = least(k.task_priority, s.task_priority),
       maintenance_start = coalesce(k.maintenance_start, s.maintenance_start),
       maintenance_end = case when k.maintenance_start is null then s.maintenance_end else k.maintenance_end end,
       maintenance_timezone = case when k.maintenance_start is null then coalesce(s.maintenance_timezone, 'UTC')
                                   else k.maintenance_timezone end,
       proxy_mode = case when 'required' in (k.proxy_mode, s.proxy_mode) then 'required'
                         when 'direct' in (k.proxy_mode, s.proxy_mode) then 'direct' else 'auto' end,
       proxy_country = coalesce(k.proxy_country, s.proxy_country),
       proxy_rotation = case when 'sticky' in (k.proxy_rotation, s.proxy_rotation) then 'sticky' else 'request' end,
       proxy_requests_per_hour = least(k.proxy_requests_per_hour, s.proxy_requests_per_hour),
       run_id = greatest(k.run_id, s.run_id),
       yielded_at = greatest(k.yielded_at, s.yielded_at),
       first_blocked_at = least(k.first_blocked_at, s.first_blocked_at),
       automatic_retry_count = greatest(k.automatic_retry_count, s.automatic_retry_count),
       consecutive_error_count = greatest(k.consecutive_error_count, s.consecutive_error_count),
       pages_discovered = k.pages_discovered + s.pages_discovered,
       pages_crawled = k.pages_crawled + s.pages_crawled,
       images_found = k.images_found + s.images_found,
       images_stored = k.images_stored + s.images_stored,
       products_found = k.products_found + s.products_found,
       total_error_count = k.total_error_count + s.total_error_count,
       crawl_depth_reached = greatest(k.crawl_depth_reached, s.crawl_depth_reached),
       seed_rank = least(k.seed_rank, s.seed_rank),
       source = coalesce(k.source, s.source),
       first_seen_at = least(k.first_seen_at, s.first_seen_at),
       last_crawled_at = greatest(k.last_crawled_at, s.last_crawled_at),
       last_crawl_run_id = greatest(k.last_crawl_run_id, s.last_crawl_run_id),
       claimed_by = null,
       claim_expires_at = null,
       version = k.version + 1,
       updated_at = forager_now()
  from (select m.to_id,
               max(l.crawl_delay_ms) as crawl_delay_ms,
               min(l.max_concurrent_requests) as max_concurrent_requests,
               min(l.max_pages_per_run) as max_pages_per_run,
               min(l.max_depth) as max_depth,
               (array_agg(l.user_agent order by l.id) filter (where l.user_agent is not null))[1] as user_agent,
               (array_agg(l.scope order by l.id) filter (where l.scope is not null))[1] as scope,
               -- What is there by default nobody has chosen.
               (array_agg(l.parser_name order by l.id) filter (where l.parser_name <> 'generic'))[1] as parser_name,
               (array_agg(l.images_mode order by l.id) filter (where l.images_mode is not null))[1] as images_mode,
               bool_and(l.is_active) as is_active,
               bool_or(l.is_refreshing) as is_refreshing,
               bool_or(l.is_explored) as is_explored,
               min(l.task_priority) as task_priority,
               (array_agg(l.maintenance_start order by l.id)
                  filter (where l.maintenance_start is not null))[1] as maintenance_start,
               (array_agg(l.maintenance_end order by l.id)
                  filter (where l.maintenance_start is not null))[1] as maintenance_end,
               (array_agg(l.maintenance_timezone order by l.id)
                  filter (where l.maintenance_start is not null))[1] as maintenance_timezone,
               -- As the alphabet has it: required, direct, auto; sticky, request.
               max(l.proxy_mode) as proxy_mode,
               (array_agg(l.proxy_country order by l.id) filter (where l.proxy_country is not null))[1]
                 as proxy_country,
               max(l.proxy_rotation) as proxy_rotation,
               min(l.proxy_requests_per_hour) as proxy_requests_per_hour,
               max(l.run_id) as run_id,
               max(l.yielded_at) as yielded_at,
               min(l.first_blocked_at) as first_blocked_at,
               max(l.automatic_retry_count) as automatic_retry_count,
               max(l.consecutive_error_count) as consecutive_error_count,
               sum(l.pages_discovered) as pages_discovered,
               sum(l.pages_crawled) as pages_crawled,
               sum(l.images_found) as images_found,
               sum(l.images_stored) as images_stored,
               sum(l.products_found) as products_found,
               sum(l.total_error_count) as total_error_count,
               max(l.crawl_depth_reached) as crawl_depth_reached,
               min(l.seed_rank) as seed_rank,
               min(l.source) as source,
               min(l.first_seen_at) as first_seen_at,
               max(l.last_crawled_at) as last_crawled_at,
               max(l.last_crawl_run_id) as last_crawl_run_id
          from given m
          join domains l on l.id = m.from_id
         group by m.to_id) as s
 where k.id = s.to_id
