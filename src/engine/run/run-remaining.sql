-- What is left of run $1, read from the truth: domains that can be claimed now (but not $3, and none that has
-- had its $2 pages or, where $4, its own limit), domains somebody else is working on, and domains that must rest
-- first.
-- Relies on: the primary keys of crawl_run_domains and domains; reads every domain of the run.
select count(*) filter (where is_ours and is_free and is_due and not is_excluded)::int as claimable_count,
       count(*) filter (where not is_free or not is_ours)::int as claimed_count,
       count(*) filter (where is_ours and is_free and not is_due)::int as resting_count,
       min(next_crawl_after) filter (where is_ours and not is_due) as resting_until,
       extract(epoch from min(next_crawl_after) filter (where is_ours and not is_due) - forager_now())::float8
         * 1000 as resting_ms
  from (select d.next_crawl_after,
               d.run_id = $1 as is_ours,
               d.claimed_by is null or d.claim_expires_at <= forager_now() as is_free,
               d.next_crawl_after is null or d.next_crawl_after <= forager_now() as is_due,
               d.id = any($3::bigint[]) as is_excluded
          from crawl_run_domains m
          join domains d on d.id = m.domain_id
         where m.run_id = $1
           and d.status in ('pending', 'active') and d.is_active
           and coalesce(m.pages_count < least($2::bigint, case when $4::boolean then d.max_pages_per_run end), true)
       ) as left_over
