-- The changes of products of domains $1 follow the products, wherever those have gone.
-- Relies on: product_events_domain, the primary key of products.
update product_events e
   set domain_id = p.domain_id
  from products p
 where e.domain_id = any($1::bigint[]) and p.id = e.product_id and p.domain_id <> e.domain_id
