-- Removes up to $2 products of domain $1 with the history of their prices; where that is longer than $2, a part of it
-- goes first. Answers how many of both went: fewer than $2 when there are no more.
-- Relies on: the unique index of products on domain and page, the primary keys of products and price_points.
with doomed as materialized (
  select id from products where domain_id = $1 limit $2
), history as materialized (
  select h.product_id, h.at from doomed d join price_points h on h.product_id = d.id limit $2
), prices as (
  delete from price_points h using history d where h.product_id = d.product_id and h.at = d.at returning 1
), gone as (
  delete from products p using doomed d
   where p.id = d.id and (select count(*) from history) < $2
  returning p.id
)
select ((select count(*) from prices) + (select count(*) from gone))::int as count
