-- URLs by state and priority, and when the first of each was found.
-- Relies on: nothing: reads every URL.
select case when state <> 'never_crawled' then state::text
            when retry_at is null then 'due' else 'waiting' end as state,
       priority, count(*)::bigint as count, min(discovered_at) as "oldestAt"
  from urls group by 1, 2
