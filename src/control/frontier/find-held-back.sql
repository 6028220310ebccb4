-- Of domains $1, up to $2 that are not crawled at once, and how many there are: switched off, blocked or unreachable,
-- resting, or in the queue of a crawl.
-- Relies on: the primary key of domains.
select d.domain,
       case when not d.is_active then 'inactive'
            when d.status in ('blocked', 'unreachable') then d.status::text
            when d.next_crawl_after > forager_now() then 'resting'
            else 'other-run' end as why,
       case when d.next_crawl_after > forager_now() then d.next_crawl_after end as until,
       d.block_reason as reason, count(*) over ()::int as "heldBackCount"
  from domains d
 where d.id = any($1::bigint[])
   and (not d.is_active or d.status in ('blocked', 'unreachable') or d.next_crawl_after > forager_now()
        or d.run_id <> 0)
 order by d.domain
 limit $2
