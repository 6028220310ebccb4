-- How many pages run $1 may still promise: its limit less what it has had and what is promised to its leases.
-- And how many domains wait for their part, counted up to $2. The run must be locked already.
-- Relies on: the primary keys of crawl_runs and crawl_run_domains, domains_leased_for_run, domains_claimable.
select r.max_pages - r.pages_count - coalesce(promised.pages, 0) as available, waiting.count::int as waiting
  from crawl_runs r,
       lateral (select sum(greatest(m.pages_allowed - m.pages_count, 0))::bigint as pages
                  from domains d
                  join crawl_run_domains m on m.run_id = r.id and m.domain_id = d.id
                 where d.last_crawl_run_id = r.id and d.claimed_by is not null) as promised,
       lateral (select count(*) as count
                  from (select from domains d
                         where d.run_id = r.id and d.status in ('pending', 'active') and d.is_active
                           and d.claimed_by is null and d.next_crawl_after is null
                         limit $2) as claimable) as waiting
 where r.id = $1
