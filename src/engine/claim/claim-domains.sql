-- Leases up to $4 of run $1's domains (but not $6, and none that has had its $5 pages) to worker $2 for $3 milliseconds and raises their fencing epoch.
-- Whoever let a lease run out may have spoken to the domain a moment ago: its idle time counts from now.
-- Order: resume before start (active first), then by score, then the least recently crawled.
-- Relies on: domains_claimable (runnable rows only), crawl_run_domains primary key.
with candidates as (
  select d.id, case when d.claimed_by is null then d.last_crawled_at else forager_now() end as last_crawled_at
    from domains d
   where d.status in ('pending', 'active') and d.is_active
     and (d.next_crawl_after is null or d.next_crawl_after <= forager_now())
     and (d.claimed_by is null or d.claim_expires_at <= forager_now())
     and d.id <> all($6::bigint[])
     and exists (select from crawl_run_domains m
                  where m.run_id = $1 and m.domain_id = d.id
                    and ($5::bigint is null or m.pages_count < $5))
   order by (d.status = 'active') desc, d.priority_score desc, d.last_crawled_at nulls first, d.id
   limit $4
   for update of d skip locked
)
update domains d
   set claimed_by = $2,
       claim_expires_at = forager_now() + $3::float8 * interval '1 millisecond',
       version = d.version + 1,
       status = 'active',
       status_code = 'claimed',
       last_crawl_run_id = $1,
       last_crawled_at = forager_now(),
       next_crawl_after = null,
       updated_at = forager_now()
  from candidates c, crawl_run_domains m
 where d.id = c.id and m.run_id = $1 and m.domain_id = d.id
returning d.id, d.domain, d.parent_domain, d.version, d.crawl_delay_ms, d.max_concurrent_requests,
          d.user_agent, d.consecutive_error_count, m.pages_count as run_pages_count, m.is_seed,
          extract(epoch from forager_now() - c.last_crawled_at)::float8 * 1000 as idle_ms
