-- The fence: of the domains a batch writes about ($2 under epochs $3), those worker $1 still holds, locked.
-- With the run in whose queue each is by now, whether tasks of it wait to be taken, and whether it has products. A domain missing from the answer was lost, and nothing about it may be written.
-- Relies on: the primary key of domains.
select d.id, d.version, d.run_id, d.task_priority is not null as has_tasks,
       d.products_found > 0 as has_products
  from domains d
  join unnest($2::bigint[], $3::bigint[]) as held (id, version) on d.id = held.id
 where d.claimed_by is not distinct from $1 and d.version = held.version
 order by d.id
   for update of d
