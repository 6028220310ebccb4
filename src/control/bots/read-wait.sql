-- Of bots' jobs, those of domains $1 where any are named: how many are due and cannot be had, up to 100 of 20 domains,
-- and in how many seconds it is worth looking again (null: nothing waits at all).
-- Relies on: bot_queues_order, the primary keys of bot_queues and domains, crawl_tasks_bot_pending.
with waiting as materialized (
  select q.domain_id, q.next_at
    from bot_queues q
   where $1::bigint[] is null or q.domain_id = any($1)
   order by q.best_priority, q.pulled_at nulls first, q.domain_id
   limit 1000
)
select (select count(*)
          from (select
                  from (select w.domain_id from waiting w limit 20) as w
                  join domains d on d.id = w.domain_id
                   and d.is_active and maintenance_ends(d.maintenance_start, d.maintenance_end, d.maintenance_timezone,
                                                        forager_now()) is null
                 cross join generate_series(1, 10) as p (priority)
                 cross join lateral (
                   select from crawl_tasks t
                    where t.domain_id = w.domain_id and t.status = 'pending' and not t.is_waiting
                      and t.executor = 'bot' and t.priority = p.priority and t.scheduled_at <= forager_now()
                    limit 100
                 ) as t
                 limit 100) as due)::int as skipped,
       count(*) = 1000 as "isMore",
       ceil(least(extract(epoch from min(w.next_at) - forager_now()), case when count(*) > 0 then 86400 end))::int
         as "waitSeconds"
  from waiting w
