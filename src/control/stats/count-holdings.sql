-- Domains by state, leases that live, crawls by state, and tasks that are not over by state.
-- Relies on: domains_status, domains_lease_ends, crawl_tasks_status; crawl_runs is small.
select (select coalesce(jsonb_object_agg(status, count), '{}')
          from (select status, count(*) from domains group by status) as d) as domains,
       (select count(*)::int from domains where claimed_by is not null and claim_expires_at > forager_now())
         as leases,
       (select coalesce(jsonb_object_agg(status, count), '{}')
          from (select status, count(*) from crawl_runs where id > 0 group by status) as r) as runs,
       (select coalesce(jsonb_object_agg(status, count), '{}')
          from (select status, count(*) from crawl_tasks
                 where status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused',
                                  'locked')
                 group by status) as t) as tasks
