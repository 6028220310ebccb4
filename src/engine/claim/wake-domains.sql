-- Up to $1 domains that have rested long enough can be claimed again: those that asked for rest, and those that
-- were blocked or unreachable, which get three chances by themselves. After that they stay as they are, and no
-- time is set any more: a person resets them.
-- Relies on: domains_waking.
with due as (
  select d.id, d.status in ('blocked', 'unreachable') as was_refused,
         d.status in ('blocked', 'unreachable') and d.automatic_retry_count < 3 as is_retried,
         d.block_reason_code is not distinct from 'login_required' as was_walled
    from domains d
   where d.next_crawl_after <= forager_now() and d.claimed_by is null and d.is_active
     and d.status <> 'exhausted'
   order by d.next_crawl_after
   limit $1
     for update of d skip locked
)
update domains d
   set status = case when due.is_retried then 'pending' else d.status end,
       status_code = case when due.is_retried then 'cooldown_over' else d.status_code end,
       automatic_retry_count = d.automatic_retry_count + case when due.is_retried then 1 else 0 end,
       consecutive_error_count = case when due.is_retried then 0 else d.consecutive_error_count end,
       consecutive_throttle_count = case when due.is_retried then 0 else d.consecutive_throttle_count end,
       block_reason = case when due.was_refused and not due.is_retried then d.block_reason end,
       block_reason_code = case when due.was_refused and not due.is_retried then d.block_reason_code end,
       -- Behind the login every page we have is one of its login: all are to be read again.
       is_refreshing = d.is_refreshing or (due.is_retried and due.was_walled),
       next_crawl_after = null,
       updated_at = forager_now()
  from due
 where d.id = due.id
returning d.id, due.is_retried, due.is_retried and due.was_walled as is_walled
