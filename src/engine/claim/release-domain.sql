-- Gives domain $1 back, held by worker $2 under epoch $3, in state $4 with code $5 and reason $6, to rest for $7
-- milliseconds; where $8, it has had its turn; it has asked us to slow down $10 times in a row. An exhausted domain rests until the first of its pages is to be
-- read again, but at least $9 milliseconds.
-- An exhausted domain must truly have nothing left: URLs admitted meanwhile keep it active, and due at once.
-- robots.txt, sitemaps and visits that were called off left no trace of when: the delay counts from here.
-- The row must be locked already, or the look at urls would be older than the change of the domain.
-- (`is not distinct from` cannot be looked up in an index: a worker may hold thousands.)
-- Relies on: urls_frontier, urls_retry and crawl_tasks_queued to check, urls_refresh and urls_missing for next time.
with left_over as materialized (
  select $4::domain_status = 'exhausted'
     and (exists (select from urls u
                   where u.domain_id = $1 and u.state = 'never_crawled' and u.retry_at is null)
          or exists (select from urls u
                      where u.domain_id = $1 and u.state = 'never_crawled' and u.retry_at is not null)
          or exists (select from crawl_tasks t where t.domain_id = $1 and t.status = 'queued')) as is_due,
         (select t.priority from crawl_tasks t where t.domain_id = $1 and t.status = 'queued'
           order by t.priority limit 1) as task_priority,
         least((select u.next_crawl_at from urls u
                 where u.domain_id = $1 and u.state = 'fetched' and u.miss_count = 0
                 order by u.next_crawl_at limit 1),
               (select u.next_crawl_at from urls u
                 where u.domain_id = $1 and u.state = 'fetched' and u.miss_count > 0
                 order by u.next_crawl_at limit 1)) as first_reading
)
update domains d
   set claimed_by = null,
       claim_expires_at = null,
       version = d.version + 1,
       status = case when l.is_due then 'active' else $4::domain_status end,
       status_code = case when l.is_due or $4::domain_status = 'active' then d.status_code
                          when $4::domain_status = 'exhausted' then 'all_done' else $5 end,
       block_reason_code = $5,
       block_reason = $6,
       first_blocked_at = case when $5::text is null then null else coalesce(d.first_blocked_at, forager_now()) end,
       automatic_retry_count = case when $4::domain_status = 'exhausted' then 0
                                    else d.automatic_retry_count end,
       consecutive_throttle_count = $10,
       is_refreshing = d.is_refreshing and ($4::domain_status <> 'exhausted' or l.is_due),
       yielded_at = case when $8::boolean then forager_now() end,
       task_priority = l.task_priority,
       next_crawl_after = case
         when l.is_due then null
         -- One that is there for its tasks only is never read again by itself.
         when $4::domain_status = 'exhausted' and not d.is_explored then null
         when $4::domain_status = 'exhausted' and l.first_reading is not null
           then greatest(l.first_reading, forager_now() + $9::float8 * interval '1 millisecond')
         else forager_now() + $7::float8 * interval '1 millisecond' end,
       last_crawled_at = forager_now(),
       updated_at = forager_now()
  from left_over l
 where d.id = $1 and d.claimed_by is not distinct from $2 and d.version = $3
returning d.status
