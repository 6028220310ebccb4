-- A pull of bot $1 begins, counted $2 times: nobody else pulls for the same bot until it is over, so that its limits
-- hold exactly. Up to $3 domains get their turn, the most urgent first, then those that had none for longest; whoever
-- has one is alone with its jobs. No row: the bot was revoked.
-- Relies on: the primary keys of bots and bot_hours, bot_queues_order.
with bot as (
  update bots set pulls_count = pulls_count + $2::int, last_pull_at = forager_now()
   where id = $1 and revoked_at is null
  returning id, max_locks, max_jobs_per_hour
), hour as (
  insert into bot_hours as h (bot_id, hour, pulls_count)
  select id, date_trunc('hour', forager_now()), $2::int from bot
  on conflict (bot_id, hour) do update set pulls_count = h.pulls_count + excluded.pulls_count
  returning jobs_count
), turns as (
  select q.domain_id, q.best_priority, q.pulled_at
    from bot_queues q
   where q.next_at <= forager_now() and (select true from bot)
   order by q.best_priority, q.pulled_at nulls first, q.domain_id
   limit $3
     for no key update skip locked
)
select -- For what follows in this transaction: planning it anew each time would take longer than doing it.
       set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true),
       b.max_locks as "maxLocks", b.max_jobs_per_hour as "maxJobsPerHour", h.jobs_count as "jobsThisHour",
       ceil(extract(epoch from date_trunc('hour', forager_now()) + interval '1 hour' - forager_now()))::int
         as "hourEndsSeconds",
       coalesce((select array_agg(t.domain_id::text order by t.best_priority, t.pulled_at nulls first, t.domain_id)
                   from turns t), '{}') as "domainIds"
  from bot b cross join hour h
