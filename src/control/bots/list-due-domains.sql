-- Domains in which there may be something for bots now, the most urgent first, up to $1; of a thousand that wait, in how
-- many seconds there may be more (null: none is known to come).
-- Relies on: bot_queues_order, the primary key of domains.
with waiting as materialized (
  select q.domain_id, q.next_at from bot_queues q order by q.best_priority, q.pulled_at nulls first, q.domain_id limit 1000
), due as materialized (
  select q.domain_id
    from bot_queues q
   where q.next_at <= forager_now()
   order by q.best_priority, q.pulled_at nulls first, q.domain_id
   limit $1
)
select coalesce((select array_agg(d.domain) from due join domains d on d.id = due.domain_id), '{}') as names,
       case when (select count(*) from waiting) = 1000 then 5
            else (select ceil(extract(epoch from min(w.next_at) - forager_now()))::int from waiting w
                   where w.next_at > forager_now()) end as "nextSeconds"
