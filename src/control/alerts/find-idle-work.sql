-- Whether domains of the standing order have been waiting for two minutes while nobody was there to claim them.
-- Relies on: domains_claimable (a few rows of it), workers_heartbeat.
select exists (select from (select updated_at from domains
                             where run_id = 0 and status in ('pending', 'active') and is_active
                               and claimed_by is null and next_crawl_after is null
                             limit 100) as d
                where d.updated_at <= forager_now() - interval '2 minutes') as "isDue",
       exists (select from workers
                where greatest(heartbeat_at, coalesce(stopped_at, heartbeat_at))
                        > forager_now() - interval '2 minutes') as "isAttended"
