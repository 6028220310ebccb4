-- Whether the standing order has anything to do: a domain that can be claimed, one that somebody works on, and
-- when the next one that rests can be claimed, if that is within $1 seconds.
-- Relies on: domains_claimable, domains_leased_for_run, domains_waking.
select exists (select from domains d
                where d.run_id = 0 and d.status in ('pending', 'active') and d.is_active
                  and d.claimed_by is null and d.next_crawl_after is null) as has_claimable,
       exists (select from domains d where d.last_crawl_run_id = 0 and d.claimed_by is not null) as has_claimed,
       (select min(d.next_crawl_after) from domains d
         where d.next_crawl_after <= forager_now() + $1::float8 * interval '1 second'
           and d.claimed_by is null and d.is_active and d.status <> 'exhausted' and d.run_id = 0) as wakes_at
