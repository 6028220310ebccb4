-- How many of the first $2 domains that can be claimed now from the queue of domain $1 come before it, where
-- domains are claimed by score.
-- Relies on: domains_claimable.
select count(*)::int as ahead
  from domains d,
       lateral (select o.id, o.yielded_at, o.status, o.priority_score, o.last_crawled_at
                  from domains o
                 where o.run_id = d.run_id and o.status in ('pending', 'active') and o.is_active
                   and o.claimed_by is null and o.next_crawl_after is null
                 order by coalesce(o.yielded_at, '-infinity'::timestamptz), (o.status = 'active') desc,
                          o.priority_score desc, o.last_crawled_at nulls first, o.id
                 limit $2) as first
 where d.id = $1
   and (coalesce(first.yielded_at, '-infinity'), first.status <> 'active', -first.priority_score,
        coalesce(first.last_crawled_at, '-infinity'), first.id)
     < (coalesce(d.yielded_at, '-infinity'), d.status <> 'active', -d.priority_score,
        coalesce(d.last_crawled_at, '-infinity'), d.id)
