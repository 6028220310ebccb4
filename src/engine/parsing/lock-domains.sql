-- Locks domains $1, in the order of their ids: whoever holds one writes about it in turn with us. With whether each has
-- products.
-- Relies on: the primary key of domains.
select d.id, d.products_found > 0 as has_products
  from domains d
 where d.id = any($1::bigint[])
 order by d.id for update
