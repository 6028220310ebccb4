-- How many of the first $2 domains that can be claimed now from the queue of domain $1 come before it, where
-- domains are claimed in the order in which they were named.
-- Relies on: domains_in_order_of_arrival.
select count(*)::int as ahead
  from domains d,
       lateral (select o.id, o.yielded_at, o.status, o.seed_rank
                  from domains o
                 where o.run_id = d.run_id and o.status in ('pending', 'active') and o.is_active
                   and o.claimed_by is null and o.next_crawl_after is null
                 order by coalesce(o.yielded_at, '-infinity'::timestamptz), (o.status = 'active') desc,
                          o.seed_rank, o.id
                 limit $2) as first
 where d.id = $1
   and (coalesce(first.yielded_at, '-infinity'), first.status <> 'active',
        coalesce(first.seed_rank, 2147483647), first.id)
     < (coalesce(d.yielded_at, '-infinity'), d.status <> 'active', coalesce(d.seed_rank, 2147483647), d.id)
