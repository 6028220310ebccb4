-- Domains nobody holds, by state: ready to be claimed, resting until a time, waiting for a person to reset them
-- (their automatic retries are used up), switched off.
-- Relies on: nothing: reads every domain.
select d.status::text as status,
       count(*) filter (where d.is_active and d.status in ('pending', 'active') and not d.rests)::int as ready,
       count(*) filter (where d.is_active and d.rests and not d.is_given_up)::int as resting,
       min(d.next_crawl_after) filter (where d.is_active and d.rests and not d.is_given_up) as "firstWakesAt",
       count(*) filter (where d.is_active and d.is_given_up)::int as "needReset",
       count(*) filter (where not d.is_active)::int as "switchedOff"
  from (select status, is_active, next_crawl_after,
               coalesce(next_crawl_after > forager_now(), false) as rests,
               status in ('blocked', 'unreachable') and automatic_retry_count >= 3 as is_given_up
          from domains
         where claimed_by is null or claim_expires_at <= forager_now()) as d
 group by d.status order by d.status
