-- How price and availability of product $1 have changed, the latest first, at most $2.
-- Relies on: the primary key of price_points.
select p.at, trim_scale(p.price)::text as price, p.currency, p.availability, p.source, p.task_id as "taskId"
  from price_points p
 where p.product_id = $1
 order by p.at desc
 limit $2
