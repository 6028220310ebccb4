-- Domains by state: all, those a worker holds, those that can be claimed now, those that rest, those switched off.
-- Relies on: nothing: reads every domain.
select status::text as status, count(*)::int as total,
       count(*) filter (where is_held)::int as claimed,
       count(*) filter (where not is_held and is_active and not rests and status in ('pending', 'active'))::int
         as ready,
       count(*) filter (where not is_held and is_active and rests)::int as resting,
       count(*) filter (where not is_active)::int as "switchedOff"
  from (select status, is_active, claimed_by is not null and claim_expires_at > forager_now() as is_held,
               coalesce(next_crawl_after > forager_now(), false) as rests
          from domains) as d
 group by status order by status
