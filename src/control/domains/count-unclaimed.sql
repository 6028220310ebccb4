-- Domains nobody holds, by state: ready to be claimed, in the queue of a crawl that was stopped, resting until a
-- time, waiting for a person to reset them (their automatic retries are used up), switched off.
-- Relies on: nothing: reads every domain.
select d.status::text as status,
       count(*) filter (where d.is_active and d.is_runnable and not d.is_stopped)::int as ready,
       count(*) filter (where d.is_active and d.is_runnable and d.is_stopped)::int as "inStoppedCrawls",
       count(*) filter (where d.is_active and d.rests and not d.is_given_up)::int as resting,
       min(d.next_crawl_after) filter (where d.is_active and d.rests and not d.is_given_up) as "firstWakesAt",
       count(*) filter (where d.is_active and d.is_given_up)::int as "needReset",
       count(*) filter (where not d.is_active)::int as "switchedOff"
  from (select d.status, d.is_active, d.next_crawl_after,
               d.status in ('pending', 'active') and coalesce(d.next_crawl_after <= forager_now(), true) as is_runnable,
               coalesce(r.status <> 'running', false) as is_stopped,
               coalesce(d.next_crawl_after > forager_now(), false) as rests,
               d.status in ('blocked', 'unreachable') and d.automatic_retry_count >= 3 as is_given_up
          from domains d
          left join crawl_runs r on r.id = d.run_id
         where d.claimed_by is null or d.claim_expires_at <= forager_now()) as d
 group by d.status order by d.status
