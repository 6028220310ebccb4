-- Up to $2 exhausted domains in the queue of run $1 whose pages are to be read again: pending, as refreshing.
-- Relies on: domains_refresh_due.
with due as (
  select d.id
    from domains d
   where d.run_id = $1 and d.next_crawl_after <= forager_now() and d.claimed_by is null and d.is_active
     and d.status = 'exhausted' and d.is_explored
   order by d.next_crawl_after
   limit $2
     for update of d skip locked
)
update domains d
   set status = 'pending', status_code = 'refresh_due', is_refreshing = true, next_crawl_after = null,
       updated_at = forager_now()
  from due
 where d.id = due.id
returning d.id
