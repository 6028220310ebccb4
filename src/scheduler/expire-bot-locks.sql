-- Of tasks $1, whose domains are locked: bots that did not hand in anything in time lose them. Each costs a retry;
-- the last one is over. Only a bot that was revoked meanwhile could do nothing about it. The rows of the bots are locked
-- before the queues of the domains, which the triggers of the move do: as everywhere.
-- Relies on: the primary keys of crawl_tasks and bot_hours, the unique index of bots.
with late as materialized (
  select t.id, t.locked_by,
         exists (select from bots b where b.bot_id = t.locked_by and b.revoked_at is not null) as is_free
    from crawl_tasks t
   where t.id = any($1::bigint[]) and t.status = 'locked' and t.locked_until <= forager_now()
   order by t.id
     for update skip locked
), moved as (
  update crawl_tasks t
     set status = case when late.is_free or t.retry_count < t.max_retries then 'pending' else 'expired' end::task_status,
         retry_count = t.retry_count + case when not late.is_free and t.retry_count < t.max_retries then 1 else 0 end,
         scheduled_at = case when late.is_free or t.retry_count < t.max_retries then forager_now()
                             else t.scheduled_at end,
         error_message = 'the lock of ' || coalesce(t.locked_by, 'its bot') || ' ran out',
         moved_by = 'scheduler', move_reason = 'the lock of ' || coalesce(t.locked_by, 'its bot') || ' ran out'
    from late
   where t.id = late.id
  returning t.id, t.domain_id, t.priority
), counted as (
  update bots b
     set expired_count = b.expired_count + l.count
    from (select locked_by, count(*) from late group by locked_by) as l
   where b.bot_id = l.locked_by
  returning b.id, l.count
), counted_hours as (
  insert into bot_hours as h (bot_id, hour, expired_count)
  select id, date_trunc('hour', forager_now()), count from counted
  on conflict (bot_id, hour) do update set expired_count = h.expired_count + excluded.expired_count
)
select id, domain_id as "domainId", priority from moved
