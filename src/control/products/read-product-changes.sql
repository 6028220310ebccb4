-- The last $2 changes of product $1, the latest first. What is long is told by its name only.
-- Relies on: product_events_product.
select e.id, e.at, e.source, e.task_id as "taskId",
       (select jsonb_object_agg(c.key, case when length(c.value::text) <= 2000 then c.value end)
          from jsonb_each(e.changes) as c) as changes
  from product_events e
 where e.product_id = $1
 order by e.id desc
 limit $2
