-- How price and availability of product $1 have changed, the latest first, before $3 (null: from the latest on), at most
-- $2.
-- Relies on: the primary key of price_points.
select p.at, trim_scale(p.price)::text as price, p.currency, p.availability, p.source, p.task_id as "taskId",
       to_char(p.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText"
  from price_points p
 where p.product_id = $1 and ($3::timestamptz is null or p.at < $3)
 order by p.at desc
 limit $2
